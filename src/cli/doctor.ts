// `svc-api doctor`: for each feature, what is missing and the command that repairs it. Changes nothing.

import { SvcError } from '../core/errors.ts'
import { svcFolders } from '../files/folders.ts'
import { isLocal } from '../storage/storages.ts'
import { withConnection, withInstallation } from '../upkeep/installation.ts'
import { checkUploads } from './check.ts'
import { checkDatabase } from './check-database.ts'
import { command, exit, type Output } from './command.ts'
import { whenDatabaseResponds } from './database-work.ts'
import { checkPackages } from './doctor-packages.ts'
import { checkServer } from './doctor-server.ts'
import { type Environment, fileStorages, namedInstallation } from './environment.ts'
import { reasonOf } from './failure.ts'
import { type Finding, finding, findingLine, type Level } from './finding.ts'

export const doctorCommand = command({
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
    const environment = namedInstallation(invocation.variables)
    const findings: [feature: string, Finding][] = [
      ...(await databaseFindings(invocation, environment)),
      ['Files', await checkUploads(environment)],
      ...(await checkPackages()),
    ]
    const isUsable = findings.every(([feature, { level }]) => feature !== 'Database' || level !== 'problem')
    if (isUsable) findings.push(['Files', await checkStorage(invocation.variables, environment)])
    const features = [...Map.groupBy(findings, ([feature]) => feature)].map(([feature, entries]) => {
      const findingsOfFeature = entries.map(([, entry]) => entry)
      return { feature, level: worst(findingsOfFeature), findings: findingsOfFeature }
    })
    const isSound = features.every(({ level }) => level !== 'problem')
    const lines = features.flatMap(({ feature, findings }) => [feature, ...findings.flatMap(linesOf)])
    invocation.print(lines, { ok: isSound, features })
    return isSound ? exit.ok : exit.problem
  },
})

const linesOf = (entry: Finding): string[] => [
  `  ${findingLine(entry)}`,
  ...(entry.repair ?? []).map((line) => `  ${' '.repeat(18)} → ${line}`),
]

/** From the best to the worst. */
const levels: Level[] = ['ok', 'off', 'warning', 'problem']
const worst = (findings: readonly Finding[]): Level =>
  levels[Math.max(...findings.map(({ level }) => levels.indexOf(level)))] ?? 'ok'

/** The feature by subject, for findings of `checkDatabase` that belong to another feature than the database. */
const featureOfSubject: Record<string, string> = {
  token: 'Access',
  toggles: 'Access',
  site: 'Access',
  fonts: 'Print files',
}

/** Findings of the database; that it cannot be used is a finding, too, so that the other features are checked. */
async function databaseFindings(output: Output, environment: Environment): Promise<[string, Finding][]> {
  const { absentFile, commandLine, database, tablePrefix } = environment
  try {
    const findings = await whenDatabaseResponds(
      output,
      environment,
      'Checking the database',
      async (report) => {
        const server = absentFile
          ? []
          : await withConnection({ database, tablePrefix }, (connection) =>
              checkServer(connection, commandLine),
            )
        // Without the right to read, the other checks end with an error.
        const isReadable = server.every(({ subject, level }) => subject !== 'rights' || level === 'ok')
        return [...(isReadable ? await checkDatabase(environment, report) : []), ...server]
      },
    )
    return findings.map((entry) => [featureOfSubject[entry.subject] ?? 'Database', entry])
  } catch (error) {
    return [['Database', finding('problem', 'database', reasonOf(error, database))]]
  }
}

/** A key that no file has. */
const absentKey = `${svcFolders.printFiles}/doctor`

/** The finding about the storage of new files: whether it can be reached. */
async function checkStorage(variables: NodeJS.ProcessEnv, environment: Environment): Promise<Finding> {
  const { database, tablePrefix } = environment
  try {
    const settings = { database, tablePrefix, ...fileStorages(variables, environment) }
    return await withInstallation(settings, 'doctor', async (_database, storages) => {
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
