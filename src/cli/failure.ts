// Turns an error into one sentence for the operator: which variable to check, without secrets and stack traces.
import { storageVariables } from '../storage/environment.ts'

/** The option names of the library by environment variable. */
const variableOf: [option: RegExp, variable: string][] = [
  [/^database\b[^:]*: /, 'DATABASE_URL: '],
  [/^(tablePrefix|tables)\b[^:]*: /, 'TABLE_PREFIX: '],
  [/^siteUrl: /, 'SITE_URL: '],
  [/^baseUrl: /, 'BASE_URL: '],
  [/^uploads\b[^:]*: /, 'UPLOADS_DIR: '],
]

/** @param databaseUrl whose password must not be shown */
export function reasonOf(error: unknown, databaseUrl = ''): string {
  if (!(error instanceof Error)) return String(error)
  // The server's own message names the user, and may quote stored data.
  if (Reflect.get(error, 'sqlState') !== undefined) {
    const code = String(Reflect.get(error, 'code'))
    if (/^ER_(TABLE|COLUMN)ACCESS_DENIED_ERROR$/.test(code))
      return `DATABASE_URL: the user lacks a right (${code}). All commands need SELECT, INSERT, UPDATE and DELETE, migrate also CREATE, ALTER and INDEX.`
    return `DATABASE_URL: the database refuses a statement (${code}).`
  }
  const found = variableOf.find(([option]) => option.test(error.message))
  const message = withStorageVariable(found ? error.message.replace(...found) : error.message)
  const line = message
    .split('\n')
    .map((part) => part.trim())
    .join(' ')
  return secretsOf(databaseUrl).reduce((text, secret) => text.replaceAll(secret, '…'), fromCommand(line))
}

/** Rewrites a message about functions into one about commands. */
export const fromCommand = (message: string): string =>
  message
    .replace('Call migrate() once, or pass migrate: true, to create', 'Run "svc-api migrate" to create')
    .replace('call migrate() for', 'run "svc-api migrate" for')

const withStorageVariable = (message: string) =>
  message.replace(/^storage(?:\.\w+)+(?=: )/, (option) => storageVariables[option] ?? option)

/** A database URL and its password as part of one, in each form in which a message could quote them; not as a word by itself. */
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
