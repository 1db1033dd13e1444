// `svc-api check`: what is wrong with an installation, and what would be created.
import { check as checkStorages, type FilePlace } from '../upkeep/check.ts'
import { command, exit, listOf } from './command.ts'
import { type Environment, readEnvironment, withDatabase, withProgress } from './environment.ts'
import { checkDatabase, checkUploads, type Finding, finding } from './installation-check.ts'
import { fileStorages } from './storage-environment.ts'

export const check = command({
  summary: 'checks tables, stored values, uploads folder, token and toggles',
  help: `Usage: svc-api check [--files] [--json]

Checks the installation and changes nothing: tables, columns and engines, values that cannot be read, the uploads folder, the
token, the toggles. Names what "svc-api migrate" would create. The exit code is 1 if a problem was found; warnings alone give 0.

  --files  also compares the files of all storages with the rows that name them
  --json   prints {"ok": …, "findings": [{"level": "ok" | "warning" | "problem", "subject": …, "message": …, "details": …}]}`,
  options: { files: { type: 'boolean', default: false } },
  async run(invocation) {
    const { flags, variables, print, say } = invocation
    const environment = readEnvironment(variables)
    const findings = await withDatabase(invocation, environment, 'Checking the database', (report) =>
      checkDatabase(environment, report),
    )
    findings.push(await checkUploads(environment))
    const hasTables = findings.every(({ level, subject }) => subject !== 'tables' || level === 'ok')
    if (flags.files && hasTables)
      findings.push(
        ...(await withProgress(say, 'Checking the files', () => checkFiles(variables, environment))),
      )
    const isSound = findings.every(({ level }) => level !== 'problem')
    print(findings.map(lineOf).join('\n'), { ok: isSound, findings })
    return isSound ? exit.ok : exit.problem
  },
})

const lineOf = ({ level, subject, message }: Finding) => `${level.padEnd(8)} ${subject.padEnd(9)} ${message}`

/** Compares the stored files with the rows that name them. @throws Error as {@link checkStorages} does */
async function checkFiles(variables: NodeJS.ProcessEnv, environment: Environment): Promise<Finding[]> {
  const { database, tablePrefix } = environment
  const settings = { database, tablePrefix, ...fileStorages(variables, environment) }
  const { missing, orphaned, unreachable } = await checkStorages(settings)
  const findings = unreachable.map((place) => {
    const message = `The storage ${place.storage} could not be looked into: ${place.message}`
    return finding('problem', 'files', message, place)
  })
  const named = (places: readonly FilePlace[]) =>
    listOf(places.map(({ key, storage }) => `${key} (${storage})`))
  if (missing.length > 0) {
    const message = `Files that rows name and that are not there: ${named(missing)}.`
    findings.push(finding('problem', 'files', message, { missing }))
  }
  if (orphaned.length > 0)
    findings.push(finding('warning', 'files', `Files that no row names: ${named(orphaned)}.`, { orphaned }))
  if (findings.length > 0) return findings
  return [finding('ok', 'files', 'Files and the rows that name them agree.')]
}
