// Copies finished print files to where the press looks for them, each once, even after a crash: the file is written under a
// temporary name, its name is recorded, and then it is renamed. A recorded name without a temporary file means that it was delivered.
import { randomUUID } from 'node:crypto'
import { outsideRequest, within } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { fileNameOf, foldersOf, nameKey, storedNameOf, uniqueName } from '../core/print-name.ts'
import { step } from '../core/step.ts'
import type { Database } from '../db/connect.ts'
import type { Storages } from '../storage/storages.ts'
import { folderTarget } from './delivery-folder.ts'
import type { DeliverOptions } from './delivery-options.ts'
import { type Delivery, deliveryQueue, leaseSeconds } from './delivery-queue.ts'
import { sftpTarget } from './delivery-sftp.ts'
import { DeliveryFailed, type OpenTarget } from './delivery-target.ts'
import type { FileNaming } from './drawn-jobs.ts'
import { storedFile } from './print-file.ts'
import { objectOf, orderOf } from './print-job-reads.ts'
import type { printJobsRepository } from './print-jobs.ts'

interface Services {
  database: Database
  storages: Storages
  jobs: ReturnType<typeof printJobsRepository>
  fileNames: FileNaming
  warn: (error: unknown, message: string) => void
}

/** Milliseconds between two looks for files of other processes and for retries, and for giving a lease back. */
const pollInterval = 2000
const closeTime = 3000
const usualSeconds = 300

/** @throws Error with a sentence if a package is missing or an option is wrong */
export function deliveries(services: Services, options: DeliverOptions) {
  const { database, storages, jobs, fileNames, warn } = services
  const { folder, sftp, path: pathTemplate = '', seconds = usualSeconds } = options
  const target = sftp ? sftpTarget(sftp) : folderTarget(folder ?? '')
  const queue = deliveryQueue(database)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isAskedAgain = false
  let isFailing = false

  /** The file of a job with its folders and its name; undefined if the job or its file is gone. */
  async function fileOf(jobId: number) {
    const job = (await jobs.byId(jobId))?.resource
    const at = storedFile(job?.file)
    if (!job || !at) return undefined
    const order = orderOf(objectOf(job.details))
    const texts = order ? (await fileNames.textsOf([{ order, jobId }]))({ order, jobId }) : {}
    const { stem, extension } = storedNameOf(at.key)
    return {
      at,
      folders: pathTemplate === '' ? [] : foldersOf(pathTemplate, texts),
      stem: fileNameOf(await fileNames.template(), texts) || stem,
      extension,
      temporary: `.svc-${jobId}-${job.guid.slice(0, 8)}.part`,
    }
  }

  /** Writes the file under its temporary name. */
  async function write(
    connection: OpenTarget,
    place: string[],
    { at }: NonNullable<Awaited<ReturnType<typeof fileOf>>>,
    signal: AbortSignal,
  ) {
    const storage = await storages.at(at)
    await connection.write(place, await storage.open(at.key), signal)
    const [written, stored] = await Promise.all([connection.sizeOf(place), storage.stat(at.key)])
    if (written !== stored?.size) throw new DeliveryFailed('The file was not written to its end.')
  }

  /**
   * Writes the file under its temporary name, records its name, and renames it. A delivery with a recorded name (`path`) was
   * interrupted: without the temporary file it had been renamed already.
   */
  async function deliver(delivery: Delivery, owner: string, signal: AbortSignal): Promise<void> {
    const file = await fileOf(delivery.jobId)
    if (!file) return queue.forget(delivery)
    const connection = await target.open(signal)
    try {
      const earlier = delivery.path === '' ? undefined : delivery.path.split('/').slice(0, -1)
      const folders = earlier ?? file.folders
      const temporary = [...folders, file.temporary]
      if (!earlier) await write(connection, temporary, file, signal)
      else if ((await connection.sizeOf(temporary)) === undefined)
        return void (await queue.delivered(delivery, owner))
      const names = await connection.names(folders)
      const path = await queue.recordPath(delivery, owner, (others) => {
        const here = others.filter((path) => path.split('/').slice(0, -1).join('/') === folders.join('/'))
        const taken = new Set([...names, ...here.map((path) => path.split('/').at(-1) ?? '')].map(nameKey))
        return [...folders, uniqueName(file.stem, file.extension, taken)].join('/')
      })
      if (path === undefined) return
      await connection.rename(temporary, path.split('/'))
      await queue.delivered(delivery, owner)
    } finally {
      await connection.close()
    }
  }

  /** @returns whether the file was delivered */
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

  /** Delivers what is due, until one fails: the others most likely would, too. */
  async function deliverAll(): Promise<void> {
    for (;;) {
      isAskedAgain = false
      const owner = randomUUID()
      const delivery = stopping.signal.aborted ? undefined : await queue.claim(owner)
      if (delivery && !(await attempt(delivery, owner))) return
      if (!delivery && !isAskedAgain) return
    }
  }

  function kick(): void {
    isAskedAgain = true
    running ??= outsideRequest(deliverAll)
      .catch((error) => warn(error, 'Print files could not be delivered.'))
      .finally(() => {
        running = undefined
      })
  }

  const polling = setInterval(kick, pollInterval).unref()
  kick()

  return {
    queue,
    kick,
    stop: () => stopping.abort(new Error('The server is closing.')),
    async close(): Promise<void> {
      clearInterval(polling)
      stopping.abort(new Error('The server is closing.'))
      await within(closeTime, async () => running).catch(() => {})
    },
  }
}

/** Causes in sentences for those who print. Paths and hosts stay in the log. */
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
  const { code, level, message } = Object(error) as Record<string, unknown>
  if (level === 'client-authentication' || /authentication/i.test(String(message)))
    return 'The SFTP server refused the login.'
  const sentence = typeof code === 'string' && Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return sentence ?? `The file could not be delivered${typeof code === 'string' ? ` (${code})` : ''}.`
}
