// Fetches the pictures of a design before it is drawn: those of this installation from its storages, others by a guarded download.
// All of them share one deadline and one budget, so that neither slow nor large nor many pictures hold up other designs.
import type { Readable } from 'node:stream'
import { SvcError } from '../core/errors.ts'
import type { LocalStorage } from '../storage/local.ts'
import { isKey } from '../storage/storage.ts'
import {
  causeOf,
  copied,
  type FetchBudget,
  type Fetching,
  maxForeign,
  maxSeconds,
  streamUnlessAborted,
  tooSlow,
} from './file-copies.ts'
import { quoted } from './refusal.ts'
import type { LoadedFile } from './task.ts'
import { type UploadPlaces, uploadKey } from './upload-urls.ts'

/** Where pictures may come from. */
export interface PictureSettings extends UploadPlaces {
  /** Undefined if the host names no uploads folder. */
  storage: LocalStorage | undefined
  /** Opens a picture in a remote storage of this installation; undefined if the URL does not name one. */
  openStored(url: string): Promise<Readable | undefined>
  /** Downloads a picture of another host to a file. @throws if that is not allowed or fails, or if the budget is spent */
  download(
    url: string,
    signal: AbortSignal,
    budget: FetchBudget,
  ): Promise<{ path: string; discard(): Promise<void> }>
}

/** Pictures of a design that are fetched at once. */
const atOnce = 8
/** Milliseconds for which a failed download is not tried again. */
const failureAge = 60_000
/** The most failed downloads that are remembered. */
const maxFailures = 1000

/** Where a picture is: a key in the uploads folder, or a URL; or why its name cannot be read. */
type Place = { key: string } | { url: string } | { cause: string }

/** What one task requested of other servers. */
interface Downloads {
  urls: Set<string>
  /** The causes of failures by URL. */
  failures: Map<string, string>
}

/** Creates `fetchPictures`, which the task runner calls before a task is drawn. It remembers failed downloads for all tasks. */
export function pictureSources(settings: PictureSettings) {
  const { storage } = settings
  /** By URL, the oldest first; `until` on the clock of performance.now(). */
  const failures = new Map<string, { cause: string; until: number }>()

  /**
   * Fetches pictures; several names of one place are fetched once.
   * @param names URLs as the design contains them
   * @returns for each name its file, or the cause if it could not be fetched: also for all that was not fetched within `maxSeconds`
   * @throws the reason of the signal, or SvcError 507 if the disk is full
   */
  async function fetchPictures(
    names: readonly string[],
    { signal, ...fetching }: Fetching,
  ): Promise<Map<string, LoadedFile>> {
    const places = new Map<string, Place>()
    const placeIds = names.map((name) => {
      const place = placeOf(name, settings)
      const id = JSON.stringify(place)
      places.set(id, place)
      return id
    })
    const files = new Map<string, LoadedFile>()
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(maxSeconds * 1000)])
    const downloads: Downloads = { urls: new Set(), failures: new Map() }
    // All workers take the next place from the same iterator.
    const remaining = places.entries()
    const fetchRemaining = async () => {
      for (const [id, place] of remaining)
        files.set(id, await fileAt(place, { ...fetching, signal: deadline }, downloads))
    }
    await Promise.all(Array.from({ length: atOnce }, fetchRemaining))
    // Downloads that ended with the task did not fail.
    signal.throwIfAborted()
    for (const [url, cause] of downloads.failures) rememberFailure(url, cause)
    const notFetched = { cause: 'It was not fetched.' }
    return new Map(names.map((name, index) => [name, files.get(placeIds[index] ?? '') ?? notFetched]))
  }

  async function fileAt(place: Place, fetching: Fetching, downloads: Downloads): Promise<LoadedFile> {
    if ('cause' in place) return place
    if (fetching.signal.aborted) return { cause: tooSlow }
    if ('url' in place) return fromUrl(place.url, fetching, downloads)
    if (!storage) return { cause: 'This installation names no uploads folder.' }
    return copied(() => storage.open(place.key), fetching)
  }

  /** A picture in a remote storage of this installation, otherwise on another server. @throws SvcError 507 if the disk is full */
  async function fromUrl(url: string, fetching: Fetching, downloads: Downloads): Promise<LoadedFile> {
    const { signal, budget, afterTask } = fetching
    try {
      const stored = await streamUnlessAborted(settings.openStored(url), signal)
      if (stored) return await copied(async () => stored, fetching)
    } catch (error) {
      return { cause: signal.aborted ? tooSlow : causeOf(error) }
    }
    downloads.urls.add(url)
    if (downloads.urls.size > maxForeign)
      return { cause: `The design has more than ${maxForeign} pictures of other servers.` }
    const failure = failures.get(url)
    if (failure && failure.until > performance.now()) return { cause: failure.cause }
    try {
      const { path, discard } = await settings.download(url, signal, budget)
      afterTask(discard)
      return { path }
    } catch (error) {
      if (error instanceof SvcError && error.code === 'svc_storage_full') throw error
      const reason = signal.aborted ? tooSlow : error instanceof Error ? error.message : ''
      const cause = `The picture at ${quoted(url)} could not be fetched. ${reason}`.trim()
      // With a spent budget the design failed, not the download.
      if (Math.min(budget.bytes, budget.requests) >= 0) downloads.failures.set(url, cause)
      return { cause }
    }
  }

  /** Remembers a failed download, and forgets the oldest one if there are too many. */
  function rememberFailure(url: string, cause: string): void {
    failures.delete(url)
    failures.set(url, { cause, until: performance.now() + failureAge })
    const [oldest = ''] = failures.keys()
    if (failures.size > maxFailures) failures.delete(oldest)
  }

  return { fetchPictures }
}

/** Where the picture with this name is. A name is a URL, or a path below the site. */
export function placeOf(name: string, places: UploadPlaces): Place {
  const base = `${places.siteUrl}/`
  if (!URL.canParse(name, base)) return { cause: `${quoted(name)} is not a URL.` }
  const url = new URL(name, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { cause: `${quoted(name)} is neither an http nor an https URL.` }
  const key = uploadKey(url, places)
  if (key !== undefined) return isKey(key) ? { key } : { cause: `${quoted(name)} does not name a file.` }
  // A fragment is not sent to the server.
  url.hash = ''
  return { url: url.href }
}
