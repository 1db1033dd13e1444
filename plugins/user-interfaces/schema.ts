// Schemas of the layouts of the designer in requests and responses.
import { Type } from '@sinclair/typebox'
import { Id, ObjectBlob, StoredBlob, TrimmedTitle } from '../../src/http/schema.ts'

const IsDefault = Type.Boolean({ description: 'Whether it is the default; always exactly one layout is.' })
/** `data` in requests, whose form is checked. Responses have a `StoredBlob`: JSON as it is stored. */
const Data = ObjectBlob(
  'Panels and modules: `name, plugin_options, container_classes, css_colors, custom_css, toolbar_exclude_tools`; replaced whole',
)

/** A layout of the designer, in the list and as the data of GET, POST and PATCH. */
export const UserInterface = Type.Object({
  id: Id,
  name: Type.String({ description: 'Name of the layout.' }),
  is_default: IsDefault,
  data: Type.Optional(StoredBlob('object', 'Panels and modules of the layout; with include_data')),
})

/** The body of POST; PATCH takes the same properties, all optional. */
export const NewUserInterface = Type.Object({
  name: TrimmedTitle,
  data: Type.Optional(Data),
  is_default: Type.Optional(IsDefault),
})
