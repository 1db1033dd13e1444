// Schemas of font families in requests and responses.
import { Type } from '@sinclair/typebox'
import { fieldsQuery, IsDeleted, searchQuery } from '../../src/http/schema.ts'

const Url = (variant: string) => Type.Optional(Type.String({ description: `URL of the ${variant} variant.` }))

/** An uploaded font family with its variants. */
export const Font = Type.Object({
  name: Type.String({ description: 'Name of the family.' }),
  file: Type.String({ description: 'Name of the base file in the fonts folder.', examples: ['Lobster.ttf'] }),
  url: Type.String({ description: 'Public URL of the base file.' }),
  variants: Type.Object(
    { bold: Url('bold'), italic: Url('italic'), bolditalic: Url('bold italic') },
    { description: 'URLs of the existing variants.' },
  ),
})

/** The form of an upload, as POST takes it. */
export const FontForm = {
  consumes: ['multipart/form-data'],
  body: Type.Object({
    file: Type.Unsafe<never>({ type: 'string', format: 'binary', description: 'A TrueType font.' }),
    name: Type.Optional(Type.String({ description: 'Name of the family instead of that of the file.' })),
  }),
}

/** The query of the list. */
export const FontListQuery = Type.Object({ ...searchQuery, ...fieldsQuery })

/** The path of a single family. */
export const FontParams = Type.Object({
  name: Type.String({ description: 'Name of the family.' }),
})

/** The data of DELETE. */
export const DeletedFont = Type.Object({ ...FontParams.properties, deleted: IsDeleted })
