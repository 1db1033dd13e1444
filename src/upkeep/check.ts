// Compares files with the rows that name them: what is gone, and what nobody names. Changes nothing.
import { checkOptions } from '../core/check-options.ts'
import { SvcError } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { totals } from '../db/totals.ts'
import { svcFolders } from '../files/folders.ts'
import { assetRows } from '../library/asset-rows.ts'
import { originOf } from '../print/pictures.ts'
import { storedFile } from '../print/print-file.ts'
import { printJobSteps } from '../print/print-job-steps.ts'
import { printJobsRepository } from '../print/print-jobs.ts'
import { type FileLocation, isLocal, type Storages } from '../storage/storages.ts'
import { onInstallation } from './installation.ts'
import { type InstallationSettings, installationOptions } from './options.ts'

/** Where the rows and files to compare lie. */
export type CheckOptions = InstallationSettings

/** A file in one of the storages. */
export interface FilePlace extends FileLocation {
  /** Path of the file below the uploads folder, or below the folder of a remote storage. */
  key: string
}

/** A file that a row names, and that is not there. */
export interface MissingFile extends FilePlace {
  /** What names it: an asset by its key, or a print job by its id. */
  row: { asset: string } | { printJob: number }
}

/** What does not match. */
export interface FileCheck {
  /** Files that rows name, and that are not there. */
  missing: MissingFile[]
  /**
   * Files of ours that no row names. In the uploads folder only print files: whatever else lies there is an asset. One
   * that is being stored at this moment may be among them.
   */
  orphaned: FilePlace[]
  /** Storages that could not be read; their files are in none of the lists. */
  unreachable: (FileLocation & { message: string })[]
}

/**
 * Finds rows whose file is gone, and files that no row names, in all storages that rows or settings name. Deletes nothing.
 * @throws Error with a sentence when an option is wrong, or the database cannot be used
 * @example
 * const { missing, orphaned } = await check({ database, uploads: { dir, url } })
 */
export async function check(options: CheckOptions): Promise<FileCheck> {
  checkOptions(installationOptions, options)
  return onInstallation(options, 'check', checkFiles)
}

const idOf = ({ storage, location }: FileLocation) => JSON.stringify([storage, location])

/** What rows say of the files in one place: which row needs which file, and the keys of further files, such as uploads under way. */
interface Named extends FileLocation {
  needed: Map<string, MissingFile>
  keys: Set<string>
}

async function namedFiles(database: Database): Promise<Map<string, Named>> {
  const places = new Map<string, Named>()
  const at = ({ storage, location }: FileLocation) => {
    const id = idOf({ storage, location })
    const found = places.get(id) ?? { storage, location, needed: new Map(), keys: new Set() }
    places.set(id, found)
    return found
  }
  for await (const rows of assetRows(database, totals()).all()) {
    for (const { key, isListed, ...place } of rows) {
      const path = `${svcFolders.assets}/${key}`
      // What is being stored or removed may be there or not.
      if (isListed) at(place).needed.set(path, { ...place, key: path, row: { asset: key } })
      else at(place).keys.add(path)
    }
  }
  for await (const files of printJobSteps(database, 0).files()) {
    for (const { key, ...place } of files) at(place).keys.add(key)
  }
  for await (const jobs of printJobsRepository(database).files()) {
    for (const { id, file } of jobs) {
      const stored = storedFile(file)
      if (!stored) continue
      const { key, storage, location } = stored
      at(stored).needed.set(key, { key, storage, location, row: { printJob: id } })
    }
  }
  return places
}

async function filesIn(all: Storages, place: FileLocation): Promise<Set<string>> {
  const files = await all.at(place)
  const keys = new Set<string>()
  for (const folder of [svcFolders.assets, svcFolders.printFiles])
    for await (const key of files.keys(folder)) keys.add(key)
  return keys
}

/** Rows are read before and after the files: what changes meanwhile is neither missing nor orphaned. */
async function checkFiles(database: Database, all: Storages): Promise<FileCheck> {
  const before = await namedFiles(database)
  const current = await all.current().catch(onlyUnconfigured)
  const places: FileLocation[] = [...before.values()]
  if (current && !before.has(idOf(current))) places.push(current)
  const found: FileCheck = { missing: [], orphaned: [], unreachable: [] }
  const seen: { place: FileLocation; present: Set<string> }[] = []
  for (const { storage, location } of places) {
    try {
      seen.push({ place: { storage, location }, present: await filesIn(all, { storage, location }) })
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      found.unreachable.push({ storage, location, message: error.message })
    }
  }
  const after = await namedFiles(database)
  for (const { place, present } of seen) {
    const [first, second] = [before.get(idOf(place)), after.get(idOf(place))]
    for (const [key, file] of first?.needed ?? []) {
      if (!present.has(key) && second?.needed.has(key)) found.missing.push(file)
    }
    const isNamed = (key: string) =>
      [first, second].some((named) => named?.needed.has(key) || named?.keys.has(key))
    for (const key of present) {
      const isAsset = isLocal(place) && key.startsWith(`${svcFolders.assets}/`)
      if (!isAsset && !isNamed(originOf(key))) found.orphaned.push({ ...place, key })
    }
  }
  return found
}

function onlyUnconfigured(error: unknown): undefined {
  if (!(error instanceof SvcError)) throw error
}
