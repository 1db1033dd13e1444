// The receivers of webhooks that the package shows: the example, and the lines in the guide.
import type { FastifyInstance } from 'fastify'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { build } from '../support/hosts/build.ts'
import { blockUnder } from '../support/hosts/documents.ts'
import { startExample } from '../support/hosts/example.ts'
import { create, eventually, rows, webhookSecret } from '../support/hosts/webhooks.ts'

/** A delivery as our server sends it. */
function signed(id: string, body: string, secret = webhookSecret) {
  const now = new Date()
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
}

const wrong = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

t.test(
  'the example takes an event of a running server, refuses a forged one, and works on it once',
  async (t) => {
    const sender = await build(t)
    const { url, output, stop } = await startExample(t, 'webhook-receiver', {
      WEBHOOK_SECRET: webhookSecret,
      DATABASE_URL: sender.address,
    })
    await sender.app.close()
    const webhooks = [{ url, secret: webhookSecret, allowInternal: true }]
    const host = await build(t, { address: sender.address, webhooks })
    const id = await create(host)
    await eventually(() => output.text.includes(`product.created ${id} by token`))
    await eventually(async () => (await rows(host))[0]?.state === 'delivered')
    const [row] = await rows(host)
    const body = row?.payload ?? ''
    const post = (headers: Record<string, string>) => fetch(url, { method: 'POST', headers, body })
    t.equal((await post(signed(row?.event_id ?? '', body))).status, 204)
    t.equal((await post(signed('evt_other', body, wrong))).status, 401)
    t.equal(output.text.match(/product\.created/g)?.length, 1)
    t.equal(await stop(), 0)
  },
)

t.test('the lines in the guide accept what is signed and refuse everything else', async (t) => {
  const block = blockUnder('docs/guide/webhooks-and-audit.md', 'A receiver', 'ts')
  t.ok(block.includes('webhook.verify'))
  const code = block.replace(/await receiver\.listen\(.*\)/, 'export { receiver }')
  process.env.WEBHOOK_SECRET = webhookSecret
  const file = `${t.testdir({ 'receiver.ts': code })}/receiver.ts`
  const { receiver } = (await import(file)) as { receiver: FastifyInstance }
  t.teardown(() => receiver.close())
  const payload = JSON.stringify({ type: 'product.created', data: {} })
  const statusOf = async (headers: Record<string, string>) =>
    (await receiver.inject({ method: 'POST', url: '/svc', headers, payload })).statusCode
  t.equal(await statusOf(signed('evt_1', payload)), 204)
  t.equal(await statusOf(signed('evt_1', payload, wrong)), 401)
  t.equal(await statusOf(signed('evt_1', `${payload} `)), 401)
  t.equal(await statusOf({ 'content-type': 'application/json' }), 401)
})
