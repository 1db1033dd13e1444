// `svc-api doctor`: for each feature, what is missing and the command that repairs it. Changes nothing.

import { SvcError } from '../core/errors.ts'
import { svcFolders } from '../files/folders.ts'
import { isLocal } from '../storage/storages.ts'
import { onConnection, onInstallation } from '../upkeep/installation.ts'
import { checkDatabase, checkUploads } from './check.ts'
import { command, exit } from './command.ts'
import { checkPackages } from './doctor-packages.ts'
import { checkServer } from './doctor-server.ts'
import { type Environment, fileStorages, type Report, readEnvironment, withDatabase } from './environment.ts'
import { reasonOf } from './failure.ts'
import { type Finding, finding, type Level, lineOf } from './finding.ts'

export const doctor = command({
  summary: 'says for each feature what is missing, and the command that repairs it',
  help: `Usage: svc-api doctor [--json]

Checks what "check" does, and the user's rights on each table, indexes, clock and SQL modes of the database, whether the storage of
files can be reached, and which optional packages are installed. Changes nothing. Prints the findings of each feature, and after
"→" the commands or SQL statements that repair one. The exit code is 1 if a problem was found; warnings, and features that are
off, give 0.

  --json  prints {"ok": …, "features": [{"feature": …, "level": "ok" | "off" | "warning" | "problem", "findings": [{"level": …,
          "subject": …, "message": …, "details": …, "repair": […]}]}]}`,
  options: {},
  async run(invocation) {
    const environment = readEnvironment(invocation.variables)
    const findings: [feature: string, Finding][] = [
      ...(await databaseFindings(environment, (work) =>
        withDatabase(invocation, environment, 'Checking the database', work),
      )),
      ['Files', await checkUploads(environment)],
      ...(await checkPackages()),
    ]
    const isUsable = findings.every(([feature, { level }]) => feature !== 'Database' || level !== 'problem')
    if (isUsable) findings.push(['Files', await checkStorage(invocation.variables, environment)])
    const features = [...Map.groupBy(findings, ([feature]) => feature)].map(([feature, entries]) => {
      const found = entries.map(([, entry]) => entry)
      return { feature, level: worst(found), findings: found }
    })
    const isSound = features.every(({ level }) => level !== 'problem')
    const lines = features.flatMap(({ feature, findings: found }) => [feature, ...found.flatMap(linesOf)])
    invocation.print(lines, { ok: isSound, features })
    return isSound ? exit.ok : exit.problem
  },
})

const linesOf = (entry: Finding): string[] => [
  `  ${lineOf(entry)}`,
  ...(entry.repair ?? []).map((line) => `  ${' '.repeat(18)} → ${line}`),
]

const order: Level[] = ['ok', 'off', 'warning', 'problem']
const worst = (findings: readonly Finding[]): Level =>
  order[Math.max(...findings.map(({ level }) => order.indexOf(level)))] ?? 'ok'

/** The feature of a finding of the database. */
const features: Record<string, string> = {
  token: 'Access',
  toggles: 'Access',
  site: 'Access',
  fonts: 'Print files',
}

/** Findings of the database; one that cannot be used is a finding, too, so that the other features are checked. */
async function databaseFindings(
  environment: Environment,
  onDatabase: (work: (report: Report) => Promise<Finding[]>) => Promise<Finding[]>,
): Promise<[string, Finding][]> {
  const { absentFile, database, tablePrefix } = environment
  try {
    const found = await onDatabase(async (report) => {
      const server = absentFile ? [] : await onConnection({ database, tablePrefix }, checkServer)
      // Without the right to read, the other checks end with an error.
      const isReadable = server.every(({ subject, level }) => subject !== 'rights' || level === 'ok')
      return [...(isReadable ? await checkDatabase(environment, report) : []), ...server]
    })
    return found.map((entry) => [features[entry.subject] ?? 'Database', entry])
  } catch (error) {
    return [['Database', finding('problem', 'database', reasonOf(error, database))]]
  }
}

/** A key that no file has. */
const absentKey = `${svcFolders.printFiles}/doctor`

async function checkStorage(variables: NodeJS.ProcessEnv, environment: Environment): Promise<Finding> {
  const { database, tablePrefix } = environment
  try {
    const settings = { database, tablePrefix, ...fileStorages(variables, environment) }
    return await onInstallation(settings, 'doctor', async (_database, storages) => {
      const target = await storages.current()
      // The folder of uploads has a finding of its own.
      if (!isLocal(target)) await target.files.stat(absentKey)
      return finding('ok', 'storage', `New files are stored in the storage "${target.storage}".`)
    })
  } catch (error) {
    const reason = error instanceof SvcError ? error.message : reasonOf(error, database)
    return finding('problem', 'storage', `The storage of files cannot be used: ${reason}`)
  }
}
