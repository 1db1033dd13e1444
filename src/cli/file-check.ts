// Compares the stored files with the rows that name them, for `svc-api check --files`.
import { check as checkStorages, type FilePlace } from '../upkeep/check.ts'
import type { Environment } from './environment.ts'
import type { Finding } from './installation-check.ts'
import { fileStorages } from './storage-environment.ts'

const subject = 'files'

/** Names in a message; the details have all. */
const shown = 20

/** @throws Error as {@link checkStorages} does */
export async function checkFiles(variables: NodeJS.ProcessEnv, environment: Environment): Promise<Finding[]> {
  const { database, tablePrefix } = environment
  const { missing, orphaned, unreachable } = await checkStorages({
    database,
    tablePrefix,
    ...fileStorages(variables, environment),
  })
  const findings: Finding[] = unreachable.map((place) => ({
    level: 'problem',
    subject,
    message: `The storage ${place.storage} could not be looked into: ${place.message}`,
    details: place,
  }))
  if (missing.length > 0)
    findings.push({
      level: 'problem',
      subject,
      message: `Files that rows name and that are not there: ${listOf(missing)}.`,
      details: { missing },
    })
  if (orphaned.length > 0)
    findings.push({
      level: 'warning',
      subject,
      message: `Files that no row names: ${listOf(orphaned)}.`,
      details: { orphaned },
    })
  if (findings.length === 0)
    findings.push({ level: 'ok', subject, message: 'Files and the rows that name them agree.' })
  return findings
}

function listOf(places: readonly FilePlace[]): string {
  const names = places.slice(0, shown).map(({ key, storage }) => `${key} (${storage})`)
  return names.join(', ') + (places.length > shown ? ` and ${places.length - shown} more` : '')
}
