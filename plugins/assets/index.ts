// /assets: lists, uploads and deletes pictures, drawings and PDFs, and finds where one is used.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { group, type Rest } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { listRoute } from '../../src/http/list-route.ts'
import { ok } from '../../src/http/response.ts'
import { hidden, responses } from '../../src/http/schema.ts'
import { acceptForms, uploadCauses, withUpload } from '../../src/http/upload.ts'
import { assetsRepository, type Uploaded } from '../../src/library/assets.ts'
import { assetUsages } from '../../src/orders/asset-usages.ts'
import {
  Asset,
  AssetForm,
  AssetListQuery,
  AssetParams,
  AssetUsages,
  DeletedAsset,
  UploadedAsset,
} from './schema.ts'

/** Seconds in which checking and storing should have ended: after them a repeated request may begin again. */
const maxSeconds = 180

/** The name of a file without its extension, as the response to an upload has it; lists have the whole name. */
const stemOf = (filename: string) => filename.slice(0, filename.lastIndexOf('.'))

/** The routes of uploaded pictures: listed, stored and removed. */
export default group('assets', (app, context) => {
  const assets = assetsRepository(context.database, context.totals, context.storages)

  listRoute(app, context, {
    operationId: 'list_assets',
    summary: 'List assets',
    description: 'Uploaded pictures, drawings and PDFs, newest first.',
    config: { causes: ['svc_storage_not_configured'] },
    querystring: AssetListQuery,
    resource: Asset,
    read: ({ search, type }, _selection, rows) => assets.list({ ...rows, search, type }),
  })

  app.register(async (forms) => {
    acceptForms(forms)
    forms.post('/', {
      schema: {
        operationId: 'upload_asset',
        summary: 'Upload an asset',
        description: 'One PNG, JPEG, SVG or PDF.',
        response: responses(201, UploadedAsset),
      },
      config: {
        patient: true,
        documented: AssetForm,
        causes: [...uploadCauses, 'svc_storage_unavailable'],
      },
      handler: async (request, reply) => {
        const limits = await within(requestTime.handler, () => context.uploadLimits())
        const now = new Date().toISOString()
        const form = {
          folder: `${svcFolders.assets}/${now.slice(0, 4)}/${now.slice(5, 7)}`,
          bytes: limits.bytes,
          fields: [],
          spool: context.assetSpool,
        }
        const { asset, found_by } = await withUpload(context, request, reply, form, (file) =>
          once<Uploaded, Uploaded['found_by']>(context, request, reply, {
            body: [file.name, file.sha256],
            maxSeconds,
            make: async () => {
              const accepted = await within(uploadTime.check, () =>
                context.checks.asset({ ...file, client: request.ip }, limits.picture),
              )
              return assets.create(accepted)
            },
            async findAgain(foundBy) {
              const asset = await assets.find(foundBy.key)
              if (asset === undefined) throw new SvcError('svc_asset_not_found')
              return { asset, found_by: foundBy }
            },
          }),
        )
        const { url, width, height, mime_type: mimeType } = asset
        const warnings = await context.uploadWarnings({ url, mimeType, width, height }, request.ip)
        reply.code(201).header('location', url)
        return ok(
          { ...asset, filename: stemOf(asset.filename), image_src: url, warning: found_by.warning },
          warnings.length > 0 ? { warnings } : undefined,
        )
      },
    })
  })

  const usagesOf = assetUsages(context.database)
  const sendUsages = async (key: string) => {
    const asset = await assets.find(key)
    if (!asset) throw new SvcError('svc_asset_not_found')
    return ok(await usagesOf(asset))
  }

  app.get('/:key/usages', {
    config: { takes: [], causes: ['svc_storage_not_configured', 'svc_storage_unavailable'] },
    schema: {
      operationId: 'get_asset_usages',
      summary: 'Find where an asset is used',
      description: 'Ask before you delete one. Pages of the CMS and e-mails are not searched.',
      params: AssetParams,
      response: responses(200, AssetUsages),
    },
    handler: (request) => sendUsages(request.params.key),
  })
  // The same for the keys of uploads with unescaped slashes, as in their URLs.
  app.get<{ Params: Record<'year' | 'month' | 'name', string> }>('/:year/:month/:name/usages', {
    schema: { ...hidden, response: responses(200, AssetUsages) },
    config: { twinOf: 'get_asset_usages' },
    handler: ({ params: { year, month, name } }) => sendUsages(`${year}/${month}/${name}`),
  })

  const remove = async (key: string) => {
    if (!(await assets.remove(key))) throw new SvcError('svc_asset_not_found')
    return ok({ key, deleted: true })
  }

  const response = responses(200, DeletedAsset)
  app.delete('/:key', {
    config: { takes: [], causes: ['svc_storage_not_configured', 'svc_storage_unavailable'] },
    schema: {
      operationId: 'delete_asset',
      summary: 'Delete an asset',
      description: 'Also one that products or orders use: ask get_asset_usages first.',
      params: AssetParams,
      response,
    },
    handler: (request) => remove(request.params.key),
  })
  // The same for keys that the router does not match as a parameter: more than 100 characters, or unescaped slashes.
  app.delete<Rest>('/*', {
    schema: { ...hidden, response },
    config: { twinOf: 'delete_asset' },
    handler: (request) => remove(request.params['*']),
  })
})
