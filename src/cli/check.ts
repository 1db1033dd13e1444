// `svc-api check`: what is wrong with an installation (tables, engines, columns, stored values, token, toggles, uploads folder,
// files), and what `svc-api migrate` would create. Changes nothing.

import { check as checkStorages, type FilePlace } from '../upkeep/check.ts'
import { checkDatabase } from './check-database.ts'
import { command, exit, shortList } from './command.ts'
import { whenDatabaseResponds, withProgress } from './database-work.ts'
import { type Environment, fileStorages, namedInstallation } from './environment.ts'
import { type Finding, finding, findingLine, shellWord } from './finding.ts'
import { folderProblem, folderState } from './folder.ts'

export const checkCommand = command({
  summary: 'checks tables, stored values, uploads folder, token and toggles',
  help: `Usage: svc-api check [--files] [--json]

Checks the installation and changes nothing: tables, columns and engines, values that cannot be read, the uploads folder, the
token, the toggles. Names what "svc-api migrate" would create. The exit code is 1 if a problem was found; warnings alone give 0.

  --files  also compares the files of all storages with the rows that name them
  --json   prints {"ok": …, "findings": [{"level": "ok" | "warning" | "problem", "subject": …, "message": …, "details": …, "repair": […]}]}`,
  options: { files: { type: 'boolean', default: false } },
  async run(invocation) {
    const { flags, variables, print, say } = invocation
    const environment = namedInstallation(variables)
    const findings = await whenDatabaseResponds(invocation, environment, 'Checking the database', (report) =>
      checkDatabase(environment, report),
    )
    findings.push(await checkUploads(environment))
    const hasTables = findings.every(({ level, subject }) => subject !== 'tables' || level === 'ok')
    if (flags.files && hasTables)
      findings.push(
        ...(await withProgress(say, 'Checking the files', () => checkFiles(variables, environment))),
      )
    const isSound = findings.every(({ level }) => level !== 'problem')
    print(findings.map(findingLine), { ok: isSound, findings })
    return isSound ? exit.ok : exit.problem
  },
})

/** Compares the stored files with the rows that name them. @throws Error as {@link checkStorages} does */
async function checkFiles(variables: NodeJS.ProcessEnv, environment: Environment): Promise<Finding[]> {
  const { database, tablePrefix } = environment
  const settings = { database, tablePrefix, ...fileStorages(variables, environment) }
  const { missing, orphaned, unreachable } = await checkStorages(settings)
  const findings = unreachable.map((place) => {
    const message = `The storage ${place.storage} could not be read: ${place.message}`
    return finding('problem', 'files', message, place)
  })
  const fileList = (places: readonly FilePlace[]) =>
    shortList(places.map(({ key, storage }) => `${key} (${storage})`))
  if (missing.length > 0) {
    const message = `Missing files that rows name: ${fileList(missing)}.`
    findings.push(finding('problem', 'files', message, { missing }))
  }
  if (orphaned.length > 0)
    findings.push(
      finding('warning', 'files', `Files that no row names: ${fileList(orphaned)}.`, { orphaned }),
    )
  if (findings.length > 0) return findings
  return [finding('ok', 'files', 'Files and the rows that name them agree.')]
}

export async function checkUploads({ uploadsDir, hasUploadsDir }: Environment): Promise<Finding> {
  const problem = await folderProblem(uploadsDir)
  if (problem !== undefined)
    return finding('problem', 'uploads', `UPLOADS_DIR: files cannot be stored: ${problem}.`, undefined, [
      'export UPLOADS_DIR=/path/of/a/folder/that/can/be/written',
    ])
  const exists = (await folderState(uploadsDir)) === 'folder'
  if (exists) return finding('ok', 'uploads', `${uploadsDir} can be written.`)
  const message = `${uploadsDir} does not exist; the first upload creates it.`
  if (!hasUploadsDir)
    return finding('warning', 'uploads', `UPLOADS_DIR is not set, and ${message}`, undefined, [
      'export UPLOADS_DIR=/path/of/the/uploads/of/your/host',
    ])
  return finding('warning', 'uploads', message, undefined, [`mkdir -p ${shellWord(uploadsDir)}`])
}
