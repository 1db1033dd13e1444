// `svc-api migrate`: creates missing tables, columns and indexes, and imports legacy rows.
import { dirname } from 'node:path'
import { migrate } from '../upkeep/set-up.ts'
import { command } from './command.ts'
import { whenDatabaseResponds } from './database-work.ts'
import { namedInstallation } from './environment.ts'
import { createFolder } from './folder.ts'

export const migrateCommand = command({
  summary: 'creates missing tables and columns',
  help: `Usage: svc-api migrate [--dry-run] [--sql] [--indexes] [--audit] [--json]

Creates missing tables and columns, and imports what legacy installations keep in options. Changes nothing else, and is
safe to repeat, also while servers run.

  --dry-run  changes nothing and prints what would be done
  --sql      prints the SQL statements instead of a line for each
  --indexes  also creates indexes that make lists and counts cheaper
  --audit    writes each imported rule and layout to the audit trail, as servers with the option audit do
  --json     prints {"dry_run": …, "statements": […]}`,
  options: {
    'dry-run': { type: 'boolean', default: false },
    sql: { type: 'boolean', default: false },
    indexes: { type: 'boolean', default: false },
    audit: { type: 'boolean', default: false },
  },
  async run(invocation) {
    const { 'dry-run': dryRun, sql, indexes, audit } = invocation.flags
    const environment = namedInstallation(invocation.variables)
    const { database, tablePrefix, absentFile } = environment
    // A dry run does not even create the file.
    const isAbsent = absentFile !== undefined
    if (isAbsent && !dryRun) await createFolder(dirname(absentFile), 'DATABASE_URL')
    const what = dryRun ? 'Looking for what is missing' : 'Creating what is missing'
    const statements = await whenDatabaseResponds(invocation, environment, what, () =>
      migrate({
        database: isAbsent && dryRun ? 'sqlite::memory:' : database,
        tablePrefix,
        dryRun,
        indexes,
        audit,
      }),
    )
    const text = sql ? script(statements) : summary(statements, dryRun)
    invocation.print(text, { dry_run: dryRun, statements })
    return undefined
  },
})

/** Statements that a client of the database can run; imports are comments. */
const script = (statements: readonly string[]) =>
  statements.length === 0
    ? '-- Nothing is missing.'
    : statements.map((statement) => (statement.startsWith('--') ? statement : `${statement};`)).join('\n')

function summary(statements: readonly string[], dryRun: boolean): string {
  if (statements.length === 0) return 'Nothing is missing.'
  const lines = statements.map((statement) => `  ${lineOf(statement)}`)
  return [dryRun ? 'Would be done:' : 'Done:', ...lines].join('\n')
}

/** The object of a statement, for example `create table wp_svc_views`. */
function lineOf(statement: string): string {
  const [first = ''] = statement.split('\n', 1)
  const line = first
    .replaceAll('`', '')
    .replace(/^-- /, '')
    .replace(/ IF NOT EXISTS/, '')
    .replace(/^(CREATE|ALTER)( UNIQUE)? (TABLE|INDEX)/, (keywords) => keywords.toLowerCase())
  const [, table, column] = /^(alter table \S+) ADD COLUMN (\S+)/.exec(line) ?? []
  if (table) return `${table}, add column ${column}`
  const [, index, on] = /^(create (?:unique )?index \S+) ON (\S+) \(/.exec(line) ?? []
  return index ? `${index} on ${on}` : line.replace(/ \($/, '')
}
