// Compares the stored files with the rows that name them: which are missing, and which no row names. Changes nothing.
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
import { withInstallation } from './installation.ts'
import { type InstallationSettings, installationOptions } from './options.ts'

/** Where the rows and files to compare lie. */
export type CheckOptions = InstallationSettings

/** A file in one of the storages. */
export interface FilePlace extends FileLocation {
  /** Path of the file below the uploads folder, or below the folder of a remote storage. */
  key: string
}

/** A file that a row names, and that does not exist. */
export interface MissingFile extends FilePlace {
  /** What names it: an asset by its key, or a print job by its id. */
  row: { asset: string } | { printJob: number }
}

/** What does not match. */
export interface FileCheck {
  /** Files that rows name, and that do not exist. */
  missing: MissingFile[]
  /**
   * Files in the folders of this API that no row names; in the uploads folder only print files, because other files there are
   * assets. A file that is being stored at this moment may be among them.
   */
  orphaned: FilePlace[]
  /** Storages that could not be read; their files are in none of the lists. */
  unreachable: (FileLocation & { message: string })[]
}

/**
 * Finds rows whose file is missing, and files that no row names, in all storages that rows or settings name. Deletes nothing.
 * @throws Error with a sentence when an option is wrong, or the database cannot be used
 * @example
 * const { missing, orphaned } = await check({ database, uploads: { dir, url } })
 */
export async function check(options: CheckOptions): Promise<FileCheck> {
  checkOptions(installationOptions, options)
  return withInstallation(options, 'check', checkFiles)
}

/** A text that is the same for the same location. */
const locationKey = ({ storage, location }: FileLocation) => JSON.stringify([storage, location])

/** The files in one location that rows name. */
interface NamedFiles extends FileLocation {
  /** Files that must exist, by key. */
  required: Map<string, MissingFile>
  /** Keys of files that may exist, such as uploads that are being stored. */
  optional: Set<string>
}

/** Reads all rows that name files; by the key of the location. */
async function filesNamedByRows(database: Database): Promise<Map<string, NamedFiles>> {
  const places = new Map<string, NamedFiles>()
  const filesAt = ({ storage, location }: FileLocation) => {
    const key = locationKey({ storage, location })
    const files = places.get(key) ?? { storage, location, required: new Map(), optional: new Set() }
    places.set(key, files)
    return files
  }
  for await (const rows of assetRows(database, totals()).all()) {
    for (const { key, isListed, ...place } of rows) {
      const path = `${svcFolders.assets}/${key}`
      // A file that is not listed is being stored or removed, or was found in the folder and is no asset.
      if (isListed) filesAt(place).required.set(path, { ...place, key: path, row: { asset: key } })
      else filesAt(place).optional.add(path)
    }
  }
  // Nothing is leased here, so the duration of a lease does not matter.
  for await (const files of printJobSteps(database, 0).files()) {
    for (const { key, ...place } of files) filesAt(place).optional.add(key)
  }
  for await (const jobs of printJobsRepository(database).files()) {
    for (const { id, file } of jobs) {
      const stored = storedFile(file)
      if (!stored) continue
      const { key, storage, location } = stored
      filesAt(stored).required.set(key, { key, storage, location, row: { printJob: id } })
    }
  }
  return places
}

/** Keys of the assets and print files in a location. @throws SvcError if its storage cannot be read */
async function storedKeys(storages: Storages, place: FileLocation): Promise<Set<string>> {
  const files = await storages.at(place)
  const keys = new Set<string>()
  for (const folder of [svcFolders.assets, svcFolders.printFiles])
    for await (const key of files.keys(folder)) keys.add(key)
  return keys
}

/** Reads rows before and after the files, so that what changes meanwhile is neither missing nor orphaned. */
async function checkFiles(database: Database, storages: Storages): Promise<FileCheck> {
  const before = await filesNamedByRows(database)
  const current = await storages.current().catch(unlessUnconfigured)
  const places: FileLocation[] = [...before.values()]
  if (current && !before.has(locationKey(current))) places.push(current)
  const result: FileCheck = { missing: [], orphaned: [], unreachable: [] }
  const listings: { place: FileLocation; stored: Set<string> }[] = []
  for (const { storage, location } of places) {
    const place = { storage, location }
    try {
      listings.push({ place, stored: await storedKeys(storages, place) })
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      result.unreachable.push({ ...place, message: error.message })
    }
  }
  const after = await filesNamedByRows(database)
  for (const { place, stored } of listings) {
    const key = locationKey(place)
    const { missing, orphaned } = differences(place, stored, before.get(key), after.get(key))
    result.missing.push(...missing)
    result.orphaned.push(...orphaned)
  }
  return result
}

/** What is missing and orphaned in one location, by its stored keys and the rows before and after they were listed. */
function differences(
  place: FileLocation,
  stored: ReadonlySet<string>,
  before: NamedFiles | undefined,
  after: NamedFiles | undefined,
): Pick<FileCheck, 'missing' | 'orphaned'> {
  const missing = [...(before?.required ?? [])].flatMap(([key, file]) =>
    !stored.has(key) && after?.required.has(key) ? [file] : [],
  )
  const isNamed = (key: string) =>
    [before, after].some((named) => named?.required.has(key) || named?.optional.has(key))
  const isAsset = (key: string) => isLocal(place) && key.startsWith(`${svcFolders.assets}/`)
  const orphaned = [...stored].flatMap((key) =>
    isAsset(key) || isNamed(originOf(key)) ? [] : [{ ...place, key }],
  )
  return { missing, orphaned }
}

/** Undefined for a storage that is not configured completely. @throws other errors */
function unlessUnconfigured(error: unknown): undefined {
  if (!(error instanceof SvcError)) throw error
}
