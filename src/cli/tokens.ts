// `svc-api tokens`: lists, makes, rotates and revokes named tokens, which may do less than the token of the installation.
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { scopeGroups } from '../core/scopes.ts'
import { type NamedToken, type NamedTokens, namedTokens } from '../settings/named-tokens.ts'
import { isOverlap, overlaps } from '../settings/token-rotation.ts'
import { withDatabase } from '../upkeep/installation.ts'
import { command, exit, type Invocation, momentIn, type Output, UsageError } from './command.ts'
import { onExistingInstallation } from './database-work.ts'

const options = {
  scopes: { type: 'string' },
  expires: { type: 'string' },
  overlap: { type: 'string' },
  audit: { type: 'boolean', default: false },
} as const

export const tokensCommand = command({
  summary: 'lists, makes, rotates and revokes named tokens with limited rights',
  help: `Usage: svc-api tokens list [--json]
       svc-api tokens create NAME --scopes SCOPES [--expires WHEN] [--audit] [--json]
       svc-api tokens rotate NAME [--overlap WHEN] [--audit] [--json]
       svc-api tokens revoke NAME [--audit] [--json]

Named tokens may do what their scopes say. "svc-api token" prints the one token that may do everything.

  NAME       1 to 64 ASCII characters; tells whose token it is, here and in change events
  --scopes   separated by commas: read (every GET), write (everything), or single groups as
             GROUP:read and GROUP:write. Whoever may write may also read. No scope permits changing secrets.
  --expires  a date such as 2027-01-31, a time such as 2027-01-31T12:00:00Z, or 12h, 90d from now; default: never
  --overlap  how long rotate lets the previous token work: now (not at all), 1h, 1d or 7d; default: 1d.
             Until then the list shows it as "NAME (replaced)". The new one has its name, scopes and lifetime.
  --audit    writes the change to the audit trail, as servers with the option audit do
  --json     create prints {"name": …, "scopes": …, "expires_at": …, "token": …}, list {"tokens": [ … ]},
             rotate {"name": …, "expires_at": …, "token": …, "previous": {"name": …, "expires_at": …}}

The groups are ${scopeGroups.slice(0, 9).join(', ')},
${scopeGroups.slice(9).join(', ')}.
The token is printed once; only its hash is stored. Running servers follow within a second.`,
  options,
  takesOperands: true,
  async run(invocation) {
    const { flags, operands } = invocation
    const work = workOf(invocation)
    try {
      return await onExistingInstallation(invocation, 'Waiting for the database', (installation) => {
        const settings = { ...installation, audit: flags.audit }
        return withDatabase(settings, `${operands[0]}_named_token`, (database) => work(namedTokens(database)))
      })
    } catch (error) {
      throw usageOf(error)
    }
  },
})

type Work = (tokens: NamedTokens) => Promise<number | undefined>

/** What the arguments request, to run with the tokens of the database. @throws UsageError before anything is opened */
function workOf(invocation: Invocation<typeof options>): Work {
  const [action, name, ...more] = invocation.operands
  const { flags } = invocation
  if (action !== 'create' && (flags.scopes !== undefined || flags.expires !== undefined))
    throw new UsageError('--scopes and --expires belong to svc-api tokens create.')
  if (action !== 'rotate' && flags.overlap !== undefined)
    throw new UsageError('--overlap belongs to svc-api tokens rotate.')
  if (action === 'list' && flags.audit)
    throw new UsageError('--audit belongs to svc-api tokens create, rotate and revoke.')
  if (more.length > 0) throw new UsageError('The name of a token that contains spaces must be quoted.')
  if (action === 'list' && name === undefined) return list(invocation)
  if (action !== 'create' && action !== 'rotate' && action !== 'revoke')
    throw new UsageError('Say what to do: svc-api tokens list, create NAME, rotate NAME or revoke NAME.')
  if (name === undefined) throw new UsageError(`Name the token: svc-api tokens ${action} NAME.`)
  if (action === 'rotate') return rotate(invocation, name)
  return action === 'create' ? create(invocation, name) : revoke(invocation, name)
}

const list =
  ({ print }: Output): Work =>
  async (namedTokens) => {
    const tokens = (await namedTokens.list()).map(jsonOf)
    print(tokens.length > 0 ? tokens.map(lineOf) : 'There are no named tokens.', { tokens })
    return exit.ok
  }

function lineOf({ name, scopes, expires_at, expired, last_used_at }: ReturnType<typeof jsonOf>): string {
  const expiry = expires_at === null ? 'never expires' : `${expired ? 'expired' : 'expires'} ${expires_at}`
  const use = last_used_at === null ? 'never used' : `last used ${last_used_at}`
  return [name, scopes.join(','), expiry, use].join('  ')
}

function create({ flags, print, say }: Invocation<typeof options>, name: string): Work {
  const scopes = (flags.scopes ?? '')
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '')
  if (scopes.length === 0)
    throw new UsageError(
      'Say what the token may do, such as --scopes read or --scopes products:write,fonts:read.',
    )
  const expiresAt = flags.expires === undefined ? undefined : secondsOf(flags.expires)
  return async (tokens) => {
    const token = await tokens.create({ name, scopes, expiresAt })
    print(token, { name, scopes, expires_at: timeOf(expiresAt), token })
    say('This token is not shown again.')
    return exit.ok
  }
}

function rotate({ flags, print, say }: Invocation<typeof options>, name: string): Work {
  const { overlap = '1d' } = flags
  if (!isOverlap(overlap)) throw new UsageError(`--overlap must be ${Object.keys(overlaps).join(', ')}.`)
  return async (tokens) => {
    const rotated = await tokens.rotate(name, overlap)
    if (!rotated) throw noToken(name)
    const { token, expiresAt, previous } = rotated
    const old = previous && { name: previous.name, expires_at: timeOf(previous.expiresAt) }
    print(token, { name, expires_at: timeOf(expiresAt), token, previous: old ?? null })
    say('This token is not shown again.')
    say(
      old
        ? `The previous one, "${old.name}", works until ${old.expires_at}.`
        : 'The previous one is revoked. Running servers refuse it within a second.',
    )
    return exit.ok
  }
}

const noToken = (name: string) => new Error(`There is no token with the name ${JSON.stringify(name)}.`)

const revoke =
  ({ print }: Output, name: string): Work =>
  async (tokens) => {
    if (!(await tokens.revoke(name))) throw noToken(name)
    print('Revoked. Running servers refuse it within a second.', { name, revoked: true })
    return exit.ok
  }

const jsonOf = ({ name, scopes, createdAt, expiresAt, isExpired, lastUsedAt }: NamedToken) => ({
  name,
  scopes,
  created_at: timeOf(createdAt),
  expires_at: timeOf(expiresAt),
  expired: isExpired,
  last_used_at: timeOf(lastUsedAt),
})

/** ISO 8601 from Unix seconds; null for undefined. */
const timeOf = (seconds: number | undefined) =>
  seconds === undefined ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** The time of `--expires` in Unix seconds. @throws UsageError */
function secondsOf(text: string): number {
  const time = momentIn(text, 'ahead')
  if (Number.isNaN(time))
    throw new UsageError(
      '--expires must be a date such as 2027-01-31, or a number of hours or days such as 12h or 90d.',
    )
  return Math.floor(time / 1000)
}

/** The argument of the command by the parameter that the repository names in its errors. */
const argumentOf: Readonly<Record<string, string>> = {
  name: 'NAME',
  scopes: '--scopes',
  expires: '--expires',
}

/** An invalid parameter as an error about the arguments; other errors unchanged. */
function usageOf(error: unknown): unknown {
  if (!(error instanceof SvcError) || error.code !== 'rest_invalid_param') return error
  const problems = Object.entries(membersOf(error.data.params))
  return new UsageError(
    `${problems.map(([name, problem]) => `${argumentOf[name] ?? name} ${problem}`).join('; ')}.`,
  )
}
