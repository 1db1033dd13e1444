// `svc-api webhooks`: lists events that wait or are dead, and sends them again.

import type { WebhookEvent } from '../changes/outbox-events.ts'
import { replayWebhooks, webhookEvents } from '../changes/standalone.ts'
import { command, exit, type Invocation, limitOf, UsageError } from './command.ts'
import { onExistingInstallation } from './database-work.ts'

const usage =
  'Usage: svc-api webhooks list [--dead] [--limit <n>] [--json]\n       svc-api webhooks replay <id> | --dead [--json]'

const options = { dead: { type: 'boolean', default: false }, limit: { type: 'string' } } as const

const reading = 'Reading the outbox'

export const webhooksCommand = command({
  summary: 'lists events of webhooks that wait or are dead, and sends them again',
  help: `${usage}

list prints the events that wait or could not be delivered for a day (dead), oldest first. replay sends one of them again,
or all dead ones, with the same webhook-id as before: a running server delivers them.

  --dead   only dead events
  --limit  the most events, 1 to 10000; default 100
  --json   prints [{"id": …, "type": …, "endpoint": …, "state": …, "attempts": …, "error": …, "queued_at": …, "next_at": …}],
           or {"replayed": …}, the number of deliveries that were started`,
  options,
  takesOperands: true,
  async run(invocation) {
    const [verb, ...operands] = invocation.operands
    if (verb === 'list' && operands.length === 0) return list(invocation)
    if (verb === 'replay') return replay(invocation, operands)
    throw new UsageError(usage)
  },
})

async function list(invocation: Invocation<typeof options>): Promise<undefined> {
  const { flags, print, say } = invocation
  const settings = { dead: flags.dead, limit: limitOf(flags.limit) }
  const events = await onExistingInstallation(invocation, reading, (installation) =>
    webhookEvents({ ...installation, ...settings }),
  )
  if (events.length === 0) say('No event waits, and none is dead.')
  print(events.map(lineOf), events)
  return undefined
}

async function replay(invocation: Invocation<typeof options>, [id, ...more]: readonly string[]) {
  const { flags, print } = invocation
  const { dead } = flags
  if (more.length > 0 || dead === (id !== undefined)) throw new UsageError(usage)
  const selection = id === undefined ? { dead: true as const } : { id }
  const replayed = await onExistingInstallation(invocation, reading, (installation) =>
    replayWebhooks({ ...installation, ...selection }),
  )
  print(`${replayed} ${replayed === 1 ? 'delivery was' : 'deliveries were'} started again.`, { replayed })
  // With an id, a replay without a delivery means that the event does not exist or still waits.
  return id !== undefined && replayed === 0 ? exit.problem : exit.ok
}

const lineOf = ({ id, type, endpoint, state, attempts, error, queued_at, next_at }: WebhookEvent) =>
  [
    id,
    queued_at,
    state === 'dead' ? 'dead' : `next ${next_at}`,
    type,
    endpoint,
    `${attempts} failed${error === null ? '' : `: ${error}`}`,
  ].join('  ')
