// Schemas of text templates in requests and responses. A template is addressed by its position in the list.
import { Type } from '@sinclair/typebox'
import { Enum, IsDeleted, ReadOnly, Whole } from '../../src/http/schema.ts'
import { maxTextLength, templateDefaults, textAligns } from '../../src/library/stored-templates.ts'

const Index = Whole(0, 'Position in the list, from 0; it changes with the list.')

/** The path of a single template. */
export const IndexParams = Type.Object({ index: Index })

const Text = Type.String({
  minLength: 1,
  maxLength: maxTextLength,
  pattern: '\\S',
  'x-message': 'must be 1 to 65,535 characters long and not only whitespace',
  description: 'The text, not only whitespace.',
})
const FontFamily = Type.String({
  maxLength: 255,
  description:
    'Name of an offered font; "" for the choice of the designer. An uploaded family, one of the system fonts or of the web fonts.',
})
const FontSize = Whole(1, `Pixels, ${templateDefaults.font_size} where none are given.`)
const TextAlign = Enum(textAligns, { description: `Default ${templateDefaults.text_align}.` })

/** A text template, in the list and as the data of GET, POST and PATCH. */
export const TextTemplate = Type.Object({
  index: Index,
  text: Type.String({ description: 'The text.' }),
  font_family: Type.String({ description: 'Name of the font family, or "".' }),
  font_size: Type.Integer({ description: 'Font size in pixels.' }),
  text_align: TextAlign,
})

/** The properties that all bodies share; those left out get defaults in a new template. */
const optional = {
  font_family: Type.Optional(FontFamily),
  font_size: Type.Optional(FontSize),
  text_align: Type.Optional(TextAlign),
}

/** The body of POST. */
export const NewTextTemplate = Type.Object({ text: Text, ...optional })

/** The body of PATCH. */
export const TextTemplatePatch = Type.Object({ text: Type.Optional(Text), ...optional, index: ReadOnly() })

/** A template in the body of PUT. With `index` it continues a stored one, so properties that are left out stay. */
const ListedTemplate = Type.Object(
  {
    index: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Position in the current list of the template that this one continues.',
      }),
    ),
    text: Type.String({
      maxLength: maxTextLength,
      description: 'The text; only whitespace where the continued template has the same.',
    }),
    ...optional,
  },
  { additionalProperties: false },
)

/** The body of PUT: the whole list. */
export const TextTemplateList = Type.Object({
  templates: Type.Array(ListedTemplate, {
    maxItems: 10_000,
    description: 'The whole list; templates that are not in it are removed.',
  }),
})

/** The data of DELETE. */
export const DeletedTemplate = Type.Object({ index: Index, deleted: IsDeleted })
