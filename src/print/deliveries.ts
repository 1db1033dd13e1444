// Copies finished print files to the target that the press reads (a folder or an SFTP server), each once, even after a crash: the file
// is written under a temporary name, its final path is recorded in the queue, and then it is renamed. If a path is recorded and the
// temporary file does not exist, an earlier attempt renamed it.
import { randomUUID } from 'node:crypto'
import { within, withoutDeadline } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { fileNameOf, foldersOf, nameKey, storedNameOf, uniqueName } from '../core/print-name.ts'
import { step } from '../core/step.ts'
import type { Database } from '../db/connect.ts'
import type { Storages, StoredAt } from '../storage/storages.ts'
import { folderTarget } from './delivery-folder.ts'
import type { DeliverOptions } from './delivery-options.ts'
import { type Delivery, deliveryQueue, leaseSeconds } from './delivery-queue.ts'
import { sftpTarget } from './delivery-sftp.ts'
import { DeliveryFailed, type OpenTarget } from './delivery-target.ts'
import type { FileNaming } from './drawn-jobs.ts'
import { objectOf, orderOf } from './job-data.ts'
import { storedFile } from './print-file.ts'
import type { printJobsRepository } from './print-jobs.ts'

interface Services {
  database: Database
  storages: Storages
  jobs: ReturnType<typeof printJobsRepository>
  fileNames: FileNaming
  warn: (error: unknown, message: string) => void
}

/** Milliseconds between two looks for files of other processes and for retries. */
const pollInterval = 2000
/** Milliseconds for releasing a lease. */
const closeTime = 3000
/** Seconds for one file, if the option `seconds` is absent. */
const defaultSeconds = 300

interface FileToDeliver {
  stored: StoredAt
  /** Folders below the target, by the template of the host. */
  folders: string[]
  /** Name without extension. */
  stem: string
  extension: string
  temporaryName: string
}

/**
 * Delivers files in this process, one at a time; one instance for each context.
 * @throws Error with a sentence if a package is missing or an option is wrong
 */
export function deliveries(services: Services, options: DeliverOptions) {
  const { database, storages, jobs, fileNames, warn } = services
  const { folder, sftp, path: pathTemplate = '', seconds = defaultSeconds } = options
  const target = sftp ? sftpTarget(sftp) : folderTarget(folder ?? '')
  const queue = deliveryQueue(database)
  const stopping = new AbortController()
  /** The run of `deliverAll`; undefined between runs. */
  let running: Promise<void> | undefined
  /** Whether new files may have come since the run last looked for one. */
  let isKicked = false
  /** Whether the last attempt failed, so that only the first of several failures is logged. */
  let isFailing = false

  /** The file of a job; undefined if the job or its file was deleted. */
  async function fileOf(jobId: number): Promise<FileToDeliver | undefined> {
    const job = (await jobs.byId(jobId))?.resource
    const stored = storedFile(job?.file)
    if (!job || !stored) return undefined
    const order = orderOf(objectOf(job.details))
    const texts = order ? (await fileNames.textsOf([{ order, jobId }]))({ order, jobId }) : {}
    const { stem, extension } = storedNameOf(stored.key)
    return {
      stored,
      folders: pathTemplate === '' ? [] : foldersOf(pathTemplate, texts),
      stem: fileNameOf(await fileNames.template(), texts) || stem,
      extension,
      temporaryName: `.svc-${jobId}-${job.guid.slice(0, 8)}.part`,
    }
  }

  /** Copies the file from its storage to a place of the target. */
  async function write(
    connection: OpenTarget,
    place: string[],
    { stored }: FileToDeliver,
    signal: AbortSignal,
  ): Promise<void> {
    const storage = await storages.at(stored)
    await connection.write(place, await storage.open(stored.key), signal)
    const [writtenSize, stats] = await Promise.all([connection.sizeOf(place), storage.stat(stored.key)])
    if (writtenSize !== stats?.size) throw new DeliveryFailed('The file was not written to its end.')
  }

  /**
   * Chooses a path whose name is free in the folder and among the paths that other processes are about to use, and records it.
   * @returns undefined if the lease was lost
   */
  async function recordFreePath(
    connection: OpenTarget,
    delivery: Delivery,
    owner: string,
    folders: string[],
    { stem, extension }: FileToDeliver,
  ): Promise<string | undefined> {
    const names = await connection.names(folders)
    return queue.recordPath(delivery, owner, (pathsOfOthers) => {
      const namesOfOthers = pathsOfOthers
        .map((path) => path.split('/'))
        .filter((parts) => parts.slice(0, -1).join('/') === folders.join('/'))
        .map((parts) => parts.at(-1) ?? '')
      const taken = new Set([...names, ...namesOfOthers].map(nameKey))
      return [...folders, uniqueName(stem, extension, taken)].join('/')
    })
  }

  /** Delivers one file, or resumes an interrupted delivery, whose path is recorded. */
  async function deliver(delivery: Delivery, owner: string, signal: AbortSignal): Promise<void> {
    const file = await fileOf(delivery.jobId)
    if (!file) return queue.forget(delivery)
    const connection = await target.open(signal)
    try {
      const isResumed = delivery.path !== ''
      const folders = isResumed ? delivery.path.split('/').slice(0, -1) : file.folders
      const temporary = [...folders, file.temporaryName]
      if (!isResumed) await write(connection, temporary, file, signal)
      const isRenamed = isResumed && (await connection.sizeOf(temporary)) === undefined
      if (!isRenamed) {
        const path = await recordFreePath(connection, delivery, owner, folders, file)
        // Another process has the lease now, and delivers the file.
        if (path === undefined) return
        await connection.rename(temporary, path.split('/'))
      }
      await queue.delivered(delivery, owner)
    } finally {
      await connection.close()
    }
  }

  /** Delivers one file within its time limit, and records a failure. @returns false if the attempt failed or the server stops */
  async function attempt(delivery: Delivery, owner: string): Promise<boolean> {
    const lost = new AbortController()
    const heartbeat = setInterval(
      async () => {
        const isMine = await queue.renew(delivery, owner).catch(() => true)
        if (!isMine) lost.abort(new Error('The lease was lost.'))
      },
      (leaseSeconds * 1000) / 3,
    )
    try {
      const stop = AbortSignal.any([stopping.signal, lost.signal])
      await step({ milliseconds: seconds * 1000, stop }, (signal) => deliver(delivery, owner, signal))
      if (isFailing) warn(undefined, 'Print files are delivered again.')
      isFailing = false
      return true
    } catch (error) {
      if (stopping.signal.aborted) {
        await within(closeTime, () => queue.release(delivery, owner)).catch(() => {})
        return false
      }
      const isLast = await queue.failed(delivery, owner, sentenceOf(error))
      const job = `Print job ${delivery.jobId}`
      if (isLast) warn(error, `${job}: its file could not be delivered for a day, and is not tried again.`)
      else if (!isFailing)
        warn(error, `${job}: its file could not be delivered; it is tried again for a day.`)
      isFailing = true
      return false
    } finally {
      clearInterval(heartbeat)
    }
  }

  /** Delivers the files that are due, until an attempt fails: the next one most likely would, too. */
  async function deliverAll(): Promise<void> {
    for (;;) {
      isKicked = false
      const owner = randomUUID()
      const delivery = stopping.signal.aborted ? undefined : await queue.claim(owner)
      if (delivery && !(await attempt(delivery, owner))) return
      if (!delivery && !isKicked) return
    }
  }

  function kick(): void {
    isKicked = true
    running ??= withoutDeadline(deliverAll)
      .catch((error) => warn(error, 'Print files could not be delivered.'))
      .finally(() => {
        running = undefined
      })
  }

  const polling = setInterval(kick, pollInterval).unref()
  kick()

  return {
    queue,
    /** Starts a run, unless one runs: call it when a job is completed, so that its file does not wait for the next poll. */
    kick,
    /** Aborts the running delivery. */
    stop: () => stopping.abort(new Error('The server is closing.')),
    /** Stops, and waits up to three seconds for the lease to be released. */
    async close(): Promise<void> {
      clearInterval(polling)
      stopping.abort(new Error('The server is closing.'))
      await within(closeTime, async () => running).catch(() => {})
    },
  }
}

/** Sentences for the users of the desk, by error code. Paths and hosts are only in the log. */
const sentences: Record<string, string> = {
  EACCES: 'The folder for deliveries may not be written.',
  EPERM: 'The folder for deliveries may not be written.',
  EROFS: 'The folder for deliveries is read-only.',
  ENOSPC: 'The disk of the folder for deliveries is full.',
  EDQUOT: 'The disk of the folder for deliveries is full.',
  ENOENT: 'A file or folder disappeared while the file was delivered.',
  ENOTFOUND: 'The SFTP server was not found.',
  ECONNREFUSED: 'The SFTP server does not accept connections.',
  ETIMEDOUT: 'The SFTP server did not respond in time.',
}

function sentenceOf(error: unknown): string {
  if (error instanceof DeliveryFailed || error instanceof SvcError) return error.message
  const { code, level, message } = membersOf(error) as Record<string, unknown>
  if (level === 'client-authentication' || /authentication/i.test(String(message)))
    return 'The SFTP server refused the login.'
  const sentence = typeof code === 'string' && Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return sentence ?? `The file could not be delivered${typeof code === 'string' ? ` (${code})` : ''}.`
}
