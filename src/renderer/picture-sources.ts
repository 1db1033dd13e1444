// Brings the pictures of a design to this machine before it is drawn: own ones from the storages, others by a guarded download.
// All of them share one deadline and one budget, so that neither slow nor large nor many pictures hold up other designs.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SvcError } from '../core/errors.ts'
import { until } from '../core/step.ts'
import { storageFull } from '../core/unavailable.ts'
import type { LocalStorage } from '../storage/local.ts'
import { isKey } from '../storage/storage.ts'
import { shown } from './refusal.ts'
import type { LoadedFile } from './task.ts'
import { type UploadPlaces, uploadKey } from './upload-urls.ts'

/** What the files of one design may still take; whoever fetches counts down. */
export interface FetchBudget {
  bytes: number
  /** To other servers, redirects included. */
  requests: number
}

/** Where pictures may come from. */
export interface PictureSettings extends UploadPlaces {
  /** Undefined if the host names no uploads folder. */
  storage: LocalStorage | undefined
  /** Opens a picture in a remote storage of this installation; undefined if the URL is not that of one. */
  own(url: string): Promise<Readable | undefined>
  /** Downloads a picture of another host to a file. @throws if that is not allowed or fails, or if the budget is spent */
  download(
    url: string,
    signal: AbortSignal,
    budget: FetchBudget,
  ): Promise<{ path: string; discard(): Promise<void> }>
}

/** Where the files of a design go, and how long they may take. */
export interface Fetching {
  /** Folder of the task, which is removed after it. */
  folder: string
  budget: FetchBudget
  signal: AbortSignal
  /** Called with what removes a file outside of the folder. */
  later: (work: () => Promise<void>) => void
}

/** Bytes of one file, and of all files of a design. */
const maxBytes = 128 * 1024 * 1024
const maxTogether = 384 * 1024 * 1024
/** Different pictures of other servers in a design. */
const maxForeign = 100
/** Seconds for all pictures of a design. */
const maxSeconds = 15
/** Pictures of a design that are fetched at once. */
const atOnce = 8
/** Milliseconds for which a failed download is not tried again, and how many are remembered. */
const failureAge = 60_000
const maxFailures = 1000

/** The limits of one task before anything is fetched. */
export const fetchBudget = (): FetchBudget => ({ bytes: maxTogether, requests: maxForeign })

type Place = { key: string } | { url: string } | { cause: string }

export function pictureSources(settings: PictureSettings) {
  const { storage } = settings
  const failures = new Map<string, { cause: string; until: number }>()

  /** The files by the names of the pictures: each place is read once. */
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
    const ending = AbortSignal.any([signal, AbortSignal.timeout(maxSeconds * 1000)])
    const foreign = new Set<string>()
    const waiting = places.entries()
    const work = async () => {
      for (const [id, place] of waiting)
        files.set(id, await fileAt(place, { ...fetching, signal: ending }, foreign))
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    signal.throwIfAborted()
    const unknown = { cause: 'It was not fetched.' }
    return new Map(names.map((name, index) => [name, files.get(placeIds[index] ?? '') ?? unknown]))
  }

  async function fileAt(place: Place, fetching: Fetching, foreign: Set<string>): Promise<LoadedFile> {
    if ('cause' in place) return place
    if (fetching.signal.aborted) return { cause: tooSlow }
    if ('url' in place) return fromUrl(place.url, fetching, foreign)
    if (!storage) return { cause: 'This installation names no uploads folder.' }
    return copied(() => storage.open(place.key), fetching)
  }

  async function fromUrl(url: string, fetching: Fetching, foreign: Set<string>): Promise<LoadedFile> {
    const { signal, budget, later } = fetching
    try {
      const own = await opened(settings.own(url), signal)
      if (own) return await copied(async () => own, fetching)
    } catch (error) {
      return { cause: signal.aborted ? tooSlow : causeOf(error) }
    }
    foreign.add(url)
    if (foreign.size > maxForeign)
      return { cause: `The design has more than ${maxForeign} pictures of other servers.` }
    const failure = failures.get(url)
    if (failure && failure.until > performance.now()) return { cause: failure.cause }
    try {
      const { path, discard } = await settings.download(url, signal, budget)
      later(discard)
      return { path }
    } catch (error) {
      if (error instanceof SvcError && error.code === 'svc_storage_full') throw error
      const why = signal.aborted ? tooSlow : error instanceof Error ? error.message : ''
      const cause = `The picture at ${shown(url)} could not be fetched. ${why}`.trim()
      remember(url, cause)
      return { cause }
    }
  }

  function remember(url: string, cause: string): void {
    failures.delete(url)
    failures.set(url, { cause, until: performance.now() + failureAge })
    const [oldest = ''] = failures.keys()
    if (failures.size > maxFailures) failures.delete(oldest)
  }

  return { fetchPictures }
}

/** In the uploads folder under any name of the site, or elsewhere. */
export function placeOf(name: string, places: UploadPlaces): Place {
  const base = `${places.siteUrl}/`
  if (!URL.canParse(name, base)) return { cause: `${shown(name)} is not a URL.` }
  const url = new URL(name, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { cause: `${shown(name)} is neither an http nor an https URL.` }
  const key = uploadKey(url, places)
  if (key !== undefined) return isKey(key) ? { key } : { cause: `${shown(name)} does not name a file.` }
  // It is not sent.
  url.hash = ''
  return { url: url.href }
}

const tooSlow = `The pictures of the design took longer than ${maxSeconds} seconds to fetch.`

/** A copy of the file in the folder. */
export async function copied(
  open: () => Promise<Readable>,
  { folder, budget, signal }: Pick<Fetching, 'folder' | 'budget' | 'signal'>,
): Promise<LoadedFile> {
  const path = join(folder, `file-${randomUUID()}`)
  try {
    const source = await opened(open(), signal)
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    await pipeline(source, limited(budget), target, { signal })
    return { path }
  } catch (error) {
    const full = storageFull(error)
    if (full) throw full
    return { cause: signal.aborted ? tooSlow : causeOf(error) }
  }
}

/** The stream, unless the signal aborts first; then it is closed when it comes. */
async function opened<T extends Readable | undefined>(opening: Promise<T>, signal: AbortSignal): Promise<T> {
  opening.then((late) => signal.aborted && late?.on('error', () => {}).destroy()).catch(() => {})
  return until(signal, opening)
}

function causeOf(error: unknown): string {
  if (error instanceof SvcError && error.code === 'svc_print_file_too_large') return error.message
  const isGone = Object(error).code === 'ENOENT'
  return isGone ? 'The file is not in the storage.' : 'The file could not be read from the storage.'
}

/** @throws SvcError if the files of the design are too large together */
export function spend(budget: FetchBudget, bytes: number): void {
  budget.bytes -= bytes
  if (budget.bytes < 0)
    throw tooLarge(`The files of the design are larger than ${maxTogether / 2 ** 20} MB together.`)
}

const tooLarge = (message: string) => new SvcError('svc_print_file_too_large', { message })

/** Limits the bytes of the file, and of all files together. */
function limited(budget: FetchBudget) {
  return async function* (source: AsyncIterable<Buffer>) {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(`The file is larger than ${maxBytes / 2 ** 20} MB.`)
      spend(budget, chunk.length)
      yield chunk
    }
  }
}
