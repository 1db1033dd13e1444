// What a failure leaves in the log, by its kind.
import t from 'tap'
import { SvcError } from '../../../src/core/errors.ts'
import { FileRejected } from '../../../src/files/rejected.ts'
import { failureLog } from '../../../src/http/failure-log.ts'

type Line = [level: string, fields: { err?: { message?: string; stack?: string } }, text: string]

const logged = (...errors: SvcError[]) => loggedWhen(false, ...errors)

function loggedWhen(isGone: boolean, ...errors: SvcError[]): Line[] {
  const lines: Line[] = []
  const at = (level: string) => (fields: Line[1], text: string) => lines.push([level, fields, text])
  const log = { debug: at('debug'), warn: at('warn'), error: at('error') }
  const request = { id: 'a', method: 'POST', routeOptions: { url: '/assets' }, headers: {}, log }
  const write = failureLog({ quotesValues: () => false } as never)
  for (const error of errors) write(error, request as never, isGone)
  return lines
}

t.test('a refusal is told at level debug, without its words', async (t) => {
  const [[level, fields, text] = []] = logged(new FileRejected('The name says evil.'))
  t.equal(level, 'debug')
  t.notMatch(JSON.stringify([fields, text]), /evil/)
})

t.test('a file that broke its check is a refusal as well, and the log is told how', async (t) => {
  const cause = new RangeError('Maximum call stack size exceeded')
  const error = new FileRejected('The file cannot be checked.', 'svc_upload_rejected', { cause })
  t.equal(error.statusCode, 422)
  const [[level, fields] = []] = logged(error)
  t.equal(level, 'warn')
  t.match(fields?.err, { message: /call stack/, stack: /failure-log/ })
})

t.test('a failure of ours is an error in the log', async (t) => {
  t.equal(logged(new SvcError('svc_unavailable'))[0]?.[0], 'error')
})

t.test('what is switched off or not configured is told at level debug, without a stack', async (t) => {
  for (const code of [
    'svc_renderer_off',
    'svc_export_not_configured',
    'svc_storage_not_configured',
  ] as const) {
    const [[level, fields] = []] = logged(new SvcError(code))
    t.strictSame([level, fields?.err], ['debug', undefined], code)
  }
})

t.test('what anybody can cause in floods is one warning in ten seconds, without a stack', async (t) => {
  const busy = () => new SvcError('svc_print_downloads_busy')
  const away = () => new SvcError('svc_print_file_unavailable', { cause: new Error('ECONNREFUSED') })
  const lines = logged(busy(), away(), busy(), busy(), away())
  t.same(
    lines.map(([level]) => level),
    ['warn', 'warn', 'debug', 'debug', 'debug'],
  )
  t.notOk(lines.some(([, fields]) => fields.err?.stack))
  t.match(lines[1]?.[1].err, { message: 'ECONNREFUSED' })
})

t.test('a body that is no JSON is a refusal like any other', async (t) => {
  const error = new SvcError('rest_invalid_json', { cause: new SyntaxError('Unexpected token') })
  t.equal(logged(error)[0]?.[0], 'debug')
})

t.test('failureLog: work that is aborted because the client left is no error', async (t) => {
  const aborted = () => new SvcError('svc_internal_error', { cause: AbortSignal.abort().reason })
  const [[level, fields, text] = []] = loggedWhen(true, aborted())
  t.strictSame([level, fields?.err, text], ['debug', undefined, 'The client closed the connection.'])
  t.equal(loggedWhen(false, aborted())[0]?.[0], 'error')
  const failed = new SvcError('svc_internal_error', { cause: new Error('lost') })
  t.equal(loggedWhen(true, failed)[0]?.[0], 'error')
})
