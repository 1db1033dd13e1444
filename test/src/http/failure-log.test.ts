// What a failure leaves in the log, by its kind.
import t from 'tap'
import { SvcError } from '../../../src/errors.ts'
import { FileRejected } from '../../../src/files/rejected.ts'
import { failureLog } from '../../../src/http/failure-log.ts'

type Line = [level: string, fields: { err?: { message?: string; stack?: string } }, text: string]

function logged(error: SvcError): Line[] {
  const lines: Line[] = []
  const at = (level: string) => (fields: Line[1], text: string) => lines.push([level, fields, text])
  const log = { debug: at('debug'), warn: at('warn'), error: at('error') }
  const request = { id: 'a', method: 'POST', routeOptions: { url: '/assets' }, headers: {}, log }
  failureLog({ quotesValues: () => false } as never)(error, request as never)
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
