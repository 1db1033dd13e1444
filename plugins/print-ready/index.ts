// The public webhook with which a cloud router announces a print-ready file. Nothing in its requests is trusted.
import type { FastifyRequest } from 'fastify'
import { type ErrorCode, SvcError } from '../../src/core/errors.ts'
import { group } from '../../src/http/group.ts'
import { limitInFlight } from '../../src/http/in-flight.ts'
import { ok } from '../../src/http/response.ts'
import { responses } from '../../src/http/schema.ts'
import { printFileUrl } from '../../src/print/print-file.ts'
import { type RawBody, readNotification } from './notification.ts'
import { NotificationBody, NotificationParams, NotificationQuery, NotificationResult } from './schema.ts'

/** A parser that leaves the body to `readNotification`. */
const rawBody =
  ({ isForm }: Pick<RawBody, 'isForm'>) =>
  async (_request: unknown, bytes: Buffer): Promise<RawBody> => ({ bytes, isForm })

/** Codes of the errors that the routes document. */
const causes: readonly ErrorCode[] = [
  'svc_print_job_not_found',
  'svc_print_job_busy',
  'svc_webhook_signature_invalid',
  'svc_print_file_url_refused',
  'svc_print_file_unavailable',
  'svc_print_file_too_large',
  'svc_print_file_rejected',
  'svc_print_provider_unavailable',
  'svc_print_downloads_busy',
  'svc_storage_not_configured',
  'svc_storage_unavailable',
]

/** Far more than cloud routers send at once. Limits the work that unauthenticated requests can cause. */
const maxInFlight = 64

/** The webhook with which a service announces a print file. It is public, outside of `{baseUrl}/svc/v1`. */
export default group('print_ready', (app, context) => {
  const { jobCompleter, printReady, storages } = context
  const reserveSlot = limitInFlight(
    app,
    maxInFlight,
    'Too many notifications are being processed; please try again.',
  )

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, rawBody({ isForm: false }))
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    rawBody({ isForm: true }),
  )
  app.addContentTypeParser('*', async ({ headers }: FastifyRequest) => {
    if (headers['content-length'] === '0') return
    throw new SvcError('svc_unsupported_media_type', {
      message: 'A notification must be sent as application/json or application/x-www-form-urlencoded.',
    })
  })

  for (const [method, operationId, description] of [
    ['POST', 'announce_print_file', 'The file is downloaded and stored, and the job completed.'],
    ['PUT', 'put_print_file', 'The same as by POST.'],
    ['PATCH', 'patch_print_file', 'The same as by POST.'],
  ] as const) {
    app.route({
      method,
      url: '/print_job/:guid',
      bodyLimit: 64 * 1024,
      config: { patient: true, documented: NotificationBody, causes },
      schema: {
        operationId,
        summary: `Announce a finished print file (${method})`,
        description,
        security: [],
        params: NotificationParams,
        querystring: NotificationQuery,
        response: responses(200, NotificationResult),
      },
      handler: async (request) => {
        const { guid, fileUrl } = readNotification(request, printReady.secret)
        const job = await reserveSlot(request, () => jobCompleter.complete(guid, fileUrl))
        const file_url = await printFileUrl(job.file, storages)
        return ok({ print_job_id: job.guid, status: job.status, file_url })
      },
    })
  }
})
