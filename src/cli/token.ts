// `svc-api token`: prints the API token of the installation, or replaces it.
import { randomBytes } from 'node:crypto'
import { ensureToken } from '../upkeep/set-up.ts'
import { command, UsageError } from './command.ts'
import { onExistingInstallation } from './database-work.ts'

export const tokenCommand = command({
  summary: 'prints the API token, or replaces it',
  help: `Usage: svc-api token [--rotate] [--audit] [--json]

Prints the API token of the installation. Generates one if none is stored.

  --rotate  stores a new token and prints it. Running servers refuse the old one within a second.
  --audit   writes to the audit trail that the token changed, as servers with the option audit do
  --json    prints {"token": …, "rotated": …}`,
  options: { rotate: { type: 'boolean', default: false }, audit: { type: 'boolean', default: false } },
  async run(invocation) {
    const { flags, variables, print } = invocation
    const { rotate, audit } = flags
    if (rotate && variables.SVC_API_TOKEN)
      throw new UsageError(
        'SVC_API_TOKEN is set, and a host that reads it stores it again at its next start: change that variable, or unset it.',
      )
    const replacement = rotate && { token: randomBytes(32).toString('hex') }
    const current = await onExistingInstallation(invocation, 'Waiting for the database', (installation) =>
      ensureToken({ ...installation, audit, ...replacement }),
    )
    print(current, { token: current, rotated: rotate })
    return undefined
  },
})
