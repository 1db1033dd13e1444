// Schemas of assets in requests and responses.
import { Type } from '@sinclair/typebox'
import { typesFor } from '../../src/files/file-types.ts'
import { Enum, fieldsQuery, Id, IsDeleted, pageQuery, Search, TextOrNull } from '../../src/http/schema.ts'

const Pixels = (side: string) =>
  Type.Union([Type.Integer(), Type.Null()], {
    description: `${side} in pixels; null for a PDF, and for a drawing without a size of its own.`,
  })

/** The properties of an asset. @param filename description and example of the property */
const assetProperties = (filename: { description: string; examples?: string[] }) => ({
  key: Type.String({ description: 'Name of the asset for this API: its path below the folder of uploads.' }),
  url: Type.String({ description: 'Public URL of the stored file.' }),
  filename: Type.String(filename),
  title: Type.String({
    description: 'Name under which the file was uploaded; the stored name if it was not.',
  }),
  width: Pixels('Width'),
  height: Pixels('Height'),
  size: Type.Integer({ description: 'Bytes of the stored file.' }),
  modified: Type.Integer({ description: 'Unix seconds.' }),
  mime_type: Type.String({ description: 'Type of the content, as it was verified.' }),
})

/** An asset of the list. */
export const Asset = Type.Object(assetProperties({ description: 'Name of the stored file.' }))

/** The form of an upload, as POST takes it. */
export const AssetForm = {
  consumes: ['multipart/form-data'],
  body: Type.Object({
    file: Type.Unsafe<never>({ type: 'string', format: 'binary', description: 'A PNG, JPEG, SVG or PDF.' }),
  }),
}

/** The data of POST: the asset, and what was changed in its file. Unlike in `Asset`, `filename` has no extension. */
export const UploadedAsset = Type.Object({
  ...assetProperties({ description: 'Name of the stored file without its extension.', examples: ['7f3a'] }),
  image_src: Type.String({ description: 'The same as `url`.' }),
  warning: TextOrNull(
    'What was changed in the file, and which limits of the master print profile it misses.',
  ),
})

/** The query of the list. */
export const AssetListQuery = Type.Object({
  ...pageQuery,
  search: Search("Part of the client's or of the stored name, whatever its case; no wildcards."),
  type: Type.Optional(Enum(typesFor('asset'), { description: 'Only files of this type.' })),
  ...fieldsQuery,
})

/** The path of a single asset. */
export const AssetParams = Type.Object({
  key: Type.String({ description: 'The `key` of the asset.' }),
})

/** The data of DELETE. */
export const DeletedAsset = Type.Object({ ...AssetParams.properties, deleted: IsDeleted })

const Name = Type.String({ description: 'Its name.' })
const Title = Type.String({ description: 'Its title.' })

/** The data of `GET /assets/{key}/usages`: everything that names the file. */
export const AssetUsages = Type.Object({
  settings: Type.Array(Type.String(), {
    description: 'Keys of settings, with the text templates and the color library.',
  }),
  print_profiles: Type.Array(Type.Object({ id: Id, name: Name }), { description: 'Print profiles.' }),
  layouts: Type.Array(Type.Object({ id: Id, name: Name }), { description: 'Layouts of the designer.' }),
  design_categories: Type.Array(Type.Object({ id: Id, title: Title }), {
    description: 'Categories of the design library.',
  }),
  products: Type.Array(Type.Object({ id: Id, title: Title }), {
    description: 'Products that use it, by their options, a view or a thumbnail.',
  }),
  orders: Type.Array(
    Type.Object({ type: Type.String({ description: 'Source of the order: wc, shortcode or gf.' }), id: Id }),
    { description: 'Orders whose customization uses it.' },
  ),
  complete: Type.Boolean({
    description:
      'False when there may be more usages than listed: each list has at most 100, and the search is cut off when it takes too long.',
  }),
})
