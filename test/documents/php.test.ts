// The PHP programs of the guides, run by PHP.
import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import { ensureCommands, installPackages } from '../support/debian.ts'
import { png } from '../support/fixtures/make-png.ts'
import { build, token } from '../support/hosts/build.ts'
import { blockUnder } from '../support/hosts/documents.ts'
import { webhookSecret } from '../support/hosts/webhooks.ts'
import { freePort } from '../support/peers/free-port.ts'
import { renderShop } from '../support/render/render-shop.ts'

const { php } = await ensureCommands({ php: 'php-cli' })
const run = promisify(execFile)
if (!(await run(php, ['-m'])).stdout.includes('curl')) await installPackages('php-curl')

const comingFrom = 'docs/guide/coming-from.md'
const saved = (t: Test, code: string) => join(t.testdir({ 'program.php': code }), 'program.php')

t.test('POST, PATCH and GET /products: the PHP program creates, changes and lists a product', async (t) => {
  const program = saved(t, blockUnder(comingFrom, 'From PHP in the shop', 'php'))
  const { app } = await build(t)
  const API = `${await app.listen({ port: 0, host: '127.0.0.1' })}/wp-json/svc/v1`
  const runWith = (TOKEN: string) => run(php, [program], { env: { API, TOKEN } })
  t.strictSame(await runWith(token), { stdout: '1 Large mug\n', stderr: '' })
  t.strictSame(
    (await runWith(token)).stdout,
    '1 Large mug\n',
    'a repeated Idempotency-Key creates no second product',
  )
  await t.rejects(runWith('wrong'), { message: /svc_forbidden: Invalid API token/ })
})

t.test(
  'POST /assets, /shortcode-orders, /orders/{id}/export: the PHP program prints an uploaded picture',
  async (t) => {
    const program = saved(t, blockUnder(comingFrom, 'Upload, order and print in PHP', 'php'))
    writeFileSync(join(program, '../logo.png'), png({ width: 40, height: 40 }))
    const { host } = await renderShop(t, 'SQLite', [])
    const API = `${await host.app.listen({ port: 0, host: '127.0.0.1' })}/wp-json/svc/v1`
    const { stdout, stderr } = await run(php, [program], { env: { API, TOKEN: token } })
    t.match([stdout.trim(), stderr], [/^https?:.+\.pdf$/, ''])
    const { data } = (await host.call('GET', '/print-jobs')).body
    t.match(data, [{ status: 'completed' }])
    await t.rejects(run(php, [program], { env: { API, TOKEN: 'wrong' } }), { message: /svc_forbidden/ })
  },
)

t.test('webhooks: the PHP receiver takes a signed event, and refuses a changed or an old one', async (t) => {
  const program = saved(t, blockUnder('docs/guide/webhooks-and-audit.md', 'A receiver', 'php'))
  const url = `http://127.0.0.1:${await freePort()}/`
  const env = { WEBHOOK_SECRET: webhookSecret }
  const child = spawn(php, ['-S', new URL(url).host, program], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  let printed = ''
  child.stderr.on('data', (part) => {
    printed += part
  })
  for (let tries = 0; tries < 200 && !printed.includes('started'); tries++) await delay(50)
  const body = JSON.stringify({ type: 'product.updated', data: { id: 7 } })
  const signed = (at: Date, secret = webhookSecret) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  })
  const post = async (headers: Record<string, string>, sent = body) =>
    (await fetch(url, { method: 'POST', body: sent, headers })).status
  const now = new Date()
  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`
  t.equal(await post(signed(now)), 204)
  const both = `${signed(now, other)['webhook-signature']} ${signed(now)['webhook-signature']}`
  t.equal(await post({ ...signed(now), 'webhook-signature': both }), 204, 'while the secret is changed')
  t.match(printed, 'msg_1 product.updated 7')
  t.equal(await post(signed(now), body.replace('7', '8')), 401)
  t.equal(await post(signed(now, other)), 401)
  t.equal(await post(signed(new Date(now.getTime() - 600_000))), 401)
  t.equal(await post({}), 401)
})
