// `svc-api audit`: who changed what.

import type { AuditEntry } from '../changes/audit.ts'
import { auditEntries } from '../changes/standalone.ts'
import { changedResources } from '../core/change.ts'
import { command, limitOf, sinceOf, UsageError } from './command.ts'
import { onExistingInstallation } from './database-work.ts'

export const auditCommand = command({
  summary: 'prints who changed what',
  help: `Usage: svc-api audit [--resource <name>] [--id <id>] [--since <time>] [--limit <n>] [--json]

Prints the entries of the audit trail, newest first. A server writes them with the option audit.

  --resource  only of this kind: ${changedResources.join(', ')}
  --id        only with this id
  --since     not older than this: a time such as 2026-11-22 or 2026-11-22T10:00Z, or a span such as 90m, 24h or 7d
  --limit     the most entries, 1 to 10000; default 100
  --json      prints [{"at": …, "operation": …, "resource": …, "action": …, "id": …, "principal": …, "request_id": …,
              "before_etag": …, "after_etag": …}]`,
  options: {
    resource: { type: 'string' },
    id: { type: 'string' },
    since: { type: 'string' },
    limit: { type: 'string' },
  },
  async run(invocation) {
    const { flags, print, say } = invocation
    const { resource, id } = flags
    if (resource !== undefined && !changedResources.some((name) => name === resource))
      throw new UsageError(`--resource must be one of ${changedResources.join(', ')}.`)
    const filters = { resource, id, since: sinceOf(flags.since), limit: limitOf(flags.limit) }
    const what = 'Reading the audit trail'
    const { entries, isTrailEmpty } = await onExistingInstallation(invocation, what, async (installation) => {
      const entries = await auditEntries({ ...installation, ...filters })
      const isTrailEmpty =
        entries.length === 0 && (await auditEntries({ ...installation, limit: 1 })).length === 0
      return { entries, isTrailEmpty }
    })
    if (isTrailEmpty) say('The audit trail is empty: no server writes it unless its option audit is on.')
    else if (entries.length === 0) say('No entry matches.')
    print(entries.map(lineOf), entries)
    return undefined
  },
})

const lineOf = ({ at, operation, resource, action, id, principal, request_id }: AuditEntry) =>
  [
    at,
    `${resource}${id === null ? '' : ` ${JSON.stringify(id)}`} ${action}`,
    operation,
    principal === null ? 'nobody' : `${principal.kind} ${JSON.stringify(principal.name)}`,
    request_id ?? '-',
  ].join('  ')
