// A receiver of webhooks: verifies the signature of each event, and works on each event once.
import Fastify from 'fastify'
import { Webhook } from 'standardwebhooks'

interface ChangeEvent {
  /** For example `product.updated`. */
  type: string
  data: { operation: string; id: number | string | null; principal: { name: string } | null }
}

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')
/** A shop keeps these in its database, together with what it does. */
const done = new Set<string>()

const app = Fastify()
// The signature covers the body exactly as it was sent.
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, parsed) => {
  parsed(null, body)
})
app.post('/', async ({ body, headers }, reply) => {
  const signed = headers as Record<string, string>
  let event: ChangeEvent
  try {
    event = webhook.verify(String(body), signed) as ChangeEvent
  } catch {
    return reply.code(401).send()
  }
  // An event may arrive again, with the same id.
  const id = String(signed['webhook-id'])
  if (!done.has(id)) console.log(`${event.type} ${event.data.id} by ${event.data.principal?.name}`)
  done.add(id)
  return reply.code(204).send()
})

process.once('SIGTERM', () => void app.close())
console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT ?? 3001) })}`)
