// Turns an error into one sentence for the operator: which variable to check, without secrets and stack traces.
import { membersOf } from '../core/foreign.ts'
import { storageVariables } from '../storage/environment.ts'

/** Replaces the option that begins a message of the library by the environment variable. */
const replacements: [option: RegExp, variable: string][] = [
  [/^database\b[^:]*: /, 'DATABASE_URL: '],
  [/^(tablePrefix|tables)\b[^:]*: /, 'TABLE_PREFIX: '],
  [/^siteUrl: /, 'SITE_URL: '],
  [/^baseUrl: /, 'BASE_URL: '],
  [/^uploads\b[^:]*: /, 'UPLOADS_DIR: '],
]

/** One sentence for the operator. @param databaseUrl is replaced by "…", as is its password between its delimiters */
export function reasonOf(error: unknown, databaseUrl = ''): string {
  if (!(error instanceof Error)) return String(error)
  // The server's own message names the user, and may quote stored data.
  if (membersOf(error).sqlState !== undefined) {
    const code = String(membersOf(error).code)
    if (/^ER_(TABLE|COLUMN)ACCESS_DENIED_ERROR$/.test(code))
      return `DATABASE_URL: the user lacks a right (${code}). All commands need SELECT, INSERT, UPDATE and DELETE, migrate also CREATE, ALTER and INDEX.`
    return `DATABASE_URL: the database refuses a statement (${code}).`
  }
  const replacement = replacements.find(([option]) => option.test(error.message))
  const message = withStorageVariable(replacement ? error.message.replace(...replacement) : error.message)
  const line = message
    .split('\n')
    .map((part) => part.trim())
    .join(' ')
  return secretsOf(databaseUrl).reduce((text, secret) => text.replaceAll(secret, '…'), forCommands(line))
}

/** Rewrites a message of the library, which names a function, for users of commands. */
export const forCommands = (message: string): string =>
  message
    .replace('Call migrate() once, or pass migrate: true, to create', 'Run "svc-api migrate" to create')
    .replace('call migrate() for', 'run "svc-api migrate" for')

const withStorageVariable = (message: string) =>
  message.replace(/^storage(?:\.\w+)+(?=: )/, (option) => storageVariables[option] ?? option)

/**
 * What a message must not quote of a database URL: the URL, and its password between the characters that delimit it there. The
 * password alone may be a common word.
 */
function secretsOf(url: string): string[] {
  if (!url.startsWith('mysql:') || !URL.canParse(url)) return []
  const { password } = new URL(url)
  if (password === '') return [url]
  return [url, `:${password}@`, `:${decoded(password)}@`]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
