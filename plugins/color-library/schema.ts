// Schemas of the color library, and of the usages of a color or palette, in requests and responses.
import { Type } from '@sinclair/typebox'
import { Enum, fieldsQuery, Id } from '../../src/http/schema.ts'

/** The id of a color or palette. */
const LibraryId = Type.String({ description: '1 to 64 ASCII letters, digits, "_" or "-".' })

const Color = Type.Object(
  {
    id: LibraryId,
    hex: Type.String({ description: '`#rrggbb`; `#rgb` is also accepted.' }),
    name: Type.String({ description: 'Not empty.' }),
    price: Type.Optional(Type.Number({ description: 'Price that the color adds; at least 0.' })),
  },
  { additionalProperties: true },
)

const Palette = Type.Object(
  {
    id: LibraryId,
    name: Type.String({ description: 'Not empty.' }),
    colorIds: Type.Array(Type.String(), { description: 'Ids of the colors, each once.' }),
  },
  { additionalProperties: true },
)

/** The properties that this API reads; others are stored as they are. */
const properties = {
  version: Type.Integer({ description: 'Version of the format; 2.' }),
  colors: Type.Array(Color, { description: 'All colors.' }),
  palettes: Type.Array(Palette, { description: 'All palettes.' }),
}

/** The library in responses, with any further properties that are stored. */
export const ColorLibrary = Type.Object(properties, { additionalProperties: true })

/** The body of PUT. The schema accepts every object, because saving validates it and reports all problems at once. */
export const ColorLibraryBody = Type.Object(
  {},
  {
    additionalProperties: true,
    'x-blob': true,
    description:
      'The library, flat as in the response to GET or under `library`. Colors and palettes that are not in it are removed.',
  },
)

const Name = Type.String({ description: 'Its name.' })
/** A palette in a list of usages. */
const Named = Type.Object({ id: LibraryId, name: Name })

/** A product or category in a list of usages. */
const Titled = Type.Object({ id: Id, title: Type.String({ description: 'Its title.' }) })

/** The data of `GET /color-library/usages`. */
export const Usages = Type.Object({
  palettes: Type.Array(Named, { description: 'Palettes that contain the color.' }),
  printProfiles: Type.Array(Type.Object({ id: Id, name: Name }), {
    description: 'Print profiles that name it.',
  }),
  pickerPreset: Type.Boolean({ description: 'Whether the color is a swatch of the color picker.' }),
  productsChecked: Type.Boolean({
    description:
      'False when there was too much to search: then `products` is empty, and `meta.incomplete` names the lists that may lack usages.',
  }),
  products: Type.Array(Titled, { description: 'Products that use it, by their options or a view.' }),
  designCategories: Type.Array(Titled, { description: 'Categories of the design library.' }),
})

/** The query of `GET /color-library/usages`. */
export const UsagesQuery = Type.Object({
  ...fieldsQuery,
  id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the color or palette.' }),
  type: Enum(['color', 'palette'], { description: 'What the id is of.' }),
})
