// The color library as it goes over the wire, and where its colors are used.
import { Type } from '@sinclair/typebox'
import { Enum, fieldsQuery, Id } from '../../src/http/schema.ts'

const LibraryId = Type.String({ description: '1 to 64 letters, digits, "_" or "-".' })

const Color = Type.Object(
  {
    id: LibraryId,
    hex: Type.String({ description: '`#rrggbb`; `#rgb` is accepted, too.' }),
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

const members = {
  version: Type.Integer({ description: 'Form of the library; 2.' }),
  colors: Type.Array(Color),
  palettes: Type.Array(Palette),
}

/** Written as the JSON text of the model, so that members of newer versions go out, too. */
export const ColorLibrary = Type.Object(members, { additionalProperties: true, 'x-blob': true })

/** Any JSON object: the library's own check names all problems at once. */
export const ColorLibraryBody = Type.Object(
  {},
  {
    additionalProperties: true,
    'x-blob': true,
    description: 'The library, flat as GET gives it or under `library`. What is left out is removed.',
  },
)

export const ColorLibraryQuery = Type.Object(fieldsQuery)

const Named = Type.Object({ id: Type.String(), name: Type.String() })

const Titled = Type.Object({ id: Id, title: Type.String() })

export const Usages = Type.Object({
  palettes: Type.Array(Named, { description: 'Palettes that hold the color.' }),
  printProfiles: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  pickerPreset: Type.Boolean({ description: 'Whether the color is a swatch of the color picker.' }),
  productsChecked: Type.Boolean({
    description:
      'False when there was too much to look through: then nothing is known of products, and the other lists may lack something.',
  }),
  products: Type.Array(Titled),
  designCategories: Type.Array(Titled, { description: 'Categories of the design library.' }),
})

export const UsagesQuery = Type.Object({
  ...fieldsQuery,
  id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the color or palette.' }),
  type: Enum(['color', 'palette'], { description: 'What the id is of.' }),
})
