// Erases one order: its print files first, because only its rows say where they are.
import { SvcError } from '../core/errors.ts'
import { svcFolders } from '../files/folders.ts'
import type { customerErasure, EraseOutcome, OrderJob } from '../orders/erasure.ts'
import { pictureKeys, removeWithPictures } from '../print/pictures.ts'
import { storedFile } from '../print/print-file.ts'
import { isKey } from '../storage/storage.ts'
import type { FileLocation, Storages } from '../storage/storages.ts'

interface Services {
  erasure: ReturnType<typeof customerErasure>
  storages: Storages
  dryRun: boolean
}

export interface OrderErasure {
  outcome: EraseOutcome
  /** The print jobs that were deleted with it, or would be. */
  jobs: OrderJob[]
  /** Those that stay, because they name a file that is not ours. */
  kept: OrderJob[]
  /** Files that were removed, or would be. */
  files: number
  /** Why it is not done, or not known to be complete. */
  problem?: string
}

type File = FileLocation & { key: string }

/** How often an order is tried again because it got another print file meanwhile. */
const maxAttempts = 10

export async function eraseOrder(
  { erasure, storages, dryRun }: Services,
  id: number,
  foreignJobs: readonly number[],
): Promise<OrderErasure> {
  let files = 0
  for (let attempt = 1; ; attempt++) {
    const all = await erasure.jobsOf(id, foreignJobs)
    const kept = all.filter((job) => !hasOwnFiles(job))
    const jobs = all.filter(hasOwnFiles)
    const outcome: EraseOutcome = await erasure.preview(id)
    if (outcome.state !== 'erased') return { outcome, jobs, kept, files }
    const problem = await remove(jobs)
    if (problem) return { outcome: { state: 'changed' }, jobs, kept, files, problem }
    if (dryRun) return { outcome, jobs, kept, files }
    const written = await erasure.erase({
      id,
      foreignJobs,
      known: new Map(all.map((job) => [job.id, job.signature])),
      kept: kept.map((job) => job.id),
    })
    if (written.state === 'changed' && attempt < maxAttempts) continue
    if (written.state === 'changed')
      return { outcome: written, jobs, kept, files, problem: 'It got another print file each time.' }
    // A worker that stored its file just before its job was deleted may have been killed before it removed it.
    const late = await remove(jobs.filter((job) => !job.hasEnded))
    return { outcome: written, jobs, kept, files, ...(late && { problem: late }) }
  }

  /** Removes and counts their files. @returns why a file could not be removed */
  async function remove(jobs: readonly OrderJob[]): Promise<string | undefined> {
    for (const file of jobs.flatMap(filesOf)) {
      try {
        const storage = await storages.at(file)
        const isThere = (await storage.stat(file.key)) !== undefined
        const pictures = dryRun
          ? (await pictureKeys(storage, file.key)).length
          : await removeWithPictures(storage, file.key)
        files += Number(isThere) + pictures
      } catch (error) {
        const reason = error instanceof SvcError ? error.message : String(Reflect.get(Object(error), 'code'))
        return `The print file ${file.key} could not be removed: ${reason}`
      }
    }
    return undefined
  }
}

const isOurs = (key: string) => isKey(key) && key.startsWith(`${svcFolders.printFiles}/`)

/** Whether all files that the job names are print files of ours. */
const hasOwnFiles = ({ file, stepFile }: OrderJob): boolean =>
  (file === undefined || isOurs(storedFile(file)?.key ?? '')) &&
  (stepFile === undefined || isOurs(stepFile.key))

function filesOf({ file, stepFile }: OrderJob): File[] {
  const stored = storedFile(file)
  const isSame =
    stored?.key === stepFile?.key &&
    stored?.storage === stepFile?.storage &&
    stored?.location === stepFile?.location
  return [stored, isSame ? undefined : stepFile].filter((each) => each !== undefined)
}
