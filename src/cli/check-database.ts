// The findings of `svc-api check` about the database: tables, engines, columns, stored values, fonts, the token and the toggles.
import { existsSync } from 'node:fs'
import { type Connection, databaseOn } from '../db/connect.ts'
import { type Inspection, inspect, missingParts, otherPrefixes, wrongPrefix } from '../db/inspect.ts'
import { migrateTables } from '../db/migrate.ts'
import { tableNames } from '../db/tables.ts'
import { type UnreadableValue, unreadableValues } from '../db/unreadable.ts'
import { importLegacy } from '../legacy/import.ts'
import { unreadableDesigns } from '../orders/item-values.ts'
import { cmsOptions } from '../settings/cms.ts'
import { optionsStore } from '../settings/option-rows.ts'
import { isOn, toggleKey, toggleNames } from '../settings/toggles.ts'
import { tokenKey, tokenOf } from '../settings/token.ts'
import { withConnection } from '../upkeep/installation.ts'
import { usedFonts } from '../upkeep/used-fonts.ts'
import { shortList } from './command.ts'
import type { ReportProgress } from './database-work.ts'
import { databaseLabel, type Environment } from './environment.ts'
import { forCommands } from './failure.ts'
import { type Finding, finding, type Level, shellWord } from './finding.ts'
import { fontFiles } from './fonts.ts'

/**
 * All findings about the database and what is stored in it, which `svc-api doctor` prints, too.
 * @throws Error as `withConnection` does
 */
export async function checkDatabase(environment: Environment, report: ReportProgress): Promise<Finding[]> {
  const { absentFile, database, tablePrefix } = environment
  report('connecting')
  // Opening an SQLite file that does not exist would create it.
  const settings = { database: absentFile ? 'sqlite::memory:' : database, tablePrefix }
  return withConnection(settings, async (connection) => {
    const { db, dialect, server, t } = connection
    const inspection = await inspect(db, dialect, t)
    const isComplete = missingParts(inspection, t).length === 0
    const message = absentFile
      ? `${absentFile} does not exist yet; "svc-api migrate" creates it.`
      : `${databaseLabel(database)} (${server}), table prefix ${tablePrefix}.`
    return [
      finding('ok', 'database', message),
      ...(await checkTables(connection, inspection, environment)),
      ...checkEngines(connection, inspection),
      ...checkCharsets(connection, inspection),
      ...(await checkValues(connection, inspection, report)),
      ...(isComplete ? await checkFonts(connection, environment) : []),
      ...(isComplete ? await checkAccess(connection, environment) : []),
    ]
  })
}

/** The findings about missing tables and columns, a wrong table prefix, and legacy rows that are not imported. */
async function checkTables(
  connection: Connection,
  inspection: Inspection,
  { commandLine }: Environment,
): Promise<Finding[]> {
  const { db, dialect, t } = connection
  const missing = missingParts(inspection, t)
  const prefixes = inspection.tables.size === 0 ? await otherPrefixes(db, dialect, t) : []
  if (prefixes.length > 0) {
    const message = forCommands(`TABLE_PREFIX: ${wrongPrefix(connection.prefix, prefixes)}`)
    return [finding('problem', 'tables', message, { prefixes })]
  }
  const statements =
    missing.length > 0
      ? await migrateTables(db, dialect, t, { dryRun: true })
      : await importLegacy(await databaseOn(connection), { dryRun: true })
  const notCreatable = missing.filter(({ creatable }) => !creatable).map(({ name }) => name)
  const creatable = missing.filter((part) => part.creatable).map(({ name }) => name)
  const findings: Finding[] = []
  const add = (level: Level, message: string, details?: unknown, repair?: string[]) =>
    findings.push(finding(level, 'tables', message, details, repair))
  if (notCreatable.length > 0)
    add(
      'problem',
      `Missing and never added automatically: ${notCreatable.join(', ')}. Check TABLE_PREFIX and the tables.`,
      { missing: notCreatable },
    )
  const absent = tableNames.filter((table) => !inspection.tables.has(table)).map((table) => t[table])
  const notNeeded = absent.filter((table) => !creatable.includes(table))
  const notNeededNote = notNeeded.length > 0 ? ` Not yet needed: ${notNeeded.join(', ')}.` : ''
  if (creatable.length > 0)
    add(
      'problem',
      `Missing: ${creatable.join(', ')}.${notNeededNote} "svc-api migrate" creates what is missing.`,
      { missing: creatable, statements },
      [`${commandLine} migrate`],
    )
  if (missing.length === 0) {
    add('ok', `All ${inspection.tables.size} tables have all their columns.${notNeededNote}`)
    if (statements.length > 0)
      add('problem', 'Legacy rows are not imported. "svc-api migrate" imports them.', { statements }, [
        `${commandLine} migrate`,
      ])
  }
  return findings
}

/** A finding if tables have an engine without transactions; none otherwise. */
function checkEngines({ t, mixesEngines }: Connection, { tables }: Inspection): Finding[] {
  const unsafeTables = [...tables]
    .filter(([, { engine }]) => engine !== undefined && !/^(innodb|rocksdb|tokudb)$/i.test(engine))
    .map(([table, { engine }]) => ({ table: t[table], engine }))
  if (unsafeTables.length === 0) return []
  const tableList = unsafeTables.map(({ table, engine }) => `${table} (${engine})`).join(', ')
  const effect = mixesEngines
    ? 'so that a write that fails may stay half done'
    : 'so that this server (enforce_gtid_consistency) refuses many writes'
  const message = `Without transactions, ${effect}: ${tableList}. Convert them with ALTER TABLE … ENGINE=InnoDB.`
  const repair = unsafeTables.map(({ table }) => `ALTER TABLE ${table} ENGINE=InnoDB;`)
  return [finding(mixesEngines ? 'warning' : 'problem', 'engines', message, unsafeTables, repair)]
}

/** A finding if columns cannot store all characters; none otherwise. */
function checkCharsets({ t }: Connection, { tables }: Inspection): Finding[] {
  const narrowColumns = [...tables].flatMap(([table, { columns }]) =>
    [...columns]
      .filter(([, { charset }]) => charset !== undefined && !/^(utf8mb4|ascii|binary)$/.test(charset))
      .map(([column, { charset }]) => ({ table: t[table], column, charset })),
  )
  if (narrowColumns.length === 0) return []
  const columnList = narrowColumns
    .map(({ table, column, charset }) => `${table}.${column} (${charset})`)
    .join(', ')
  const message = `Columns that cannot hold all characters, so that some requests are refused: ${columnList}.`
  const tablesToConvert = [...new Set(narrowColumns.map(({ table }) => table))]
  const repair = tablesToConvert.map((table) => `ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4;`)
  return [finding('warning', 'charsets', message, narrowColumns, repair)]
}

/** The finding about stored values that cannot be read. @param report called with a table and the number of its rows that were read so far */
async function checkValues(
  connection: Connection,
  inspection: Inspection,
  report: ReportProgress,
): Promise<Finding[]> {
  const unreadable: UnreadableValue[] = []
  const rowsByTable = new Map<string, number>()
  const count = (table: string, rowsSoFar: number) => {
    rowsByTable.set(table, rowsSoFar)
    report(`${table}, ${rowsSoFar} rows`)
  }
  for await (const value of unreadableValues(connection, inspection, count)) unreadable.push(value)
  for await (const value of unreadableDesigns(connection, count)) unreadable.push(value)
  const rows = [...rowsByTable.values()].reduce((sum, tableRows) => sum + tableRows, 0)
  if (unreadable.length === 0) return [finding('ok', 'values', `All values of ${rows} rows can be read.`)]
  const valueList = shortList(unreadable.map(({ table, column, row }) => `${table}.${column} of ${row}`))
  const message = `${unreadable.length} of the values of ${rows} rows cannot be read: ${valueList}.`
  return [finding('problem', 'values', message, unreadable)]
}

/** The finding about fonts that products and templates use, some of which may not be printable; none if they use no fonts. */
async function checkFonts(
  connection: Connection,
  { commandLine, hasUploadsDir, uploadsDir }: Environment,
): Promise<Finding[]> {
  const used = await usedFonts(connection, await fontFiles(uploadsDir))
  if (used.length === 0) return []
  if (!hasUploadsDir && !existsSync(uploadsDir)) {
    const message = `The fonts of ${used.length} families were not looked for: UPLOADS_DIR is not set, and ${uploadsDir} does not exist.`
    return [finding('warning', 'fonts', message, used)]
  }
  const absent = used.filter(({ missing }) => missing)
  const replaced = used.flatMap(({ family, substitute }) =>
    substitute === null ? [] : `${family} (${substitute})`,
  )
  const replacedNote = replaced.length > 0 ? ` Printed in another font: ${shortList(replaced)}.` : ''
  if (absent.length === 0) {
    const message = `All ${used.length} fonts of products can be printed.${replacedNote}`
    return [finding('ok', 'fonts', message, used)]
  }
  const familyList = shortList(absent.map(({ family }) => JSON.stringify(family)))
  const advice = '"svc-api fonts add <family>" says which file to upload.'
  const message = `Products and templates use fonts that are not uploaded: ${familyList}. ${advice}${replacedNote}`
  const repair = absent.map(({ family }) => `${commandLine} fonts add ${shellWord(family)}`)
  return [finding('warning', 'fonts', message, used, repair)]
}

const noToken = 'No token is stored. The first request generates one, as does "svc-api token".'
const noSite = 'No CMS names the URL of the site: set SITE_URL, or the option siteUrl.'

/** The findings about the token, the toggles of groups, and the URL of the site. */
async function checkAccess(
  connection: Connection,
  { commandLine, siteUrl }: Environment,
): Promise<Finding[]> {
  const database = await databaseOn(connection)
  const stored = await optionsStore(database, () => {}).getMany([tokenKey, ...toggleNames.map(toggleKey)])
  const hasToken = tokenOf(stored.get(tokenKey)) !== undefined
  const off = toggleNames.filter((name) => !isOn(stored.get(toggleKey(name))))
  const toggles = off.length === 0 ? 'All groups are on.' : `Off: ${off.join(', ')}. All others are on.`
  const site = siteUrl ?? (await cmsOptions(database).getMany(['home'])).get('home')
  return [
    hasToken
      ? finding('ok', 'token', 'A token is stored.')
      : finding('warning', 'token', noToken, undefined, [`${commandLine} token`]),
    finding('ok', 'toggles', toggles, { off }),
    site
      ? finding('ok', 'site', `${site} is the URL of the site.`, { url: site })
      : finding('warning', 'site', noSite, undefined, ['export SITE_URL=https://shop.example']),
  ]
}
