// Erases a customer's data: empties the shortcode orders, removes their print files, names what else holds data.
import { checkOptions } from '../core/check-options.ts'
import { SvcError } from '../core/errors.ts'
import { notifyListener, warnListenerFailed } from '../db/after-commit.ts'
import type { Database } from '../db/connect.ts'
import { svcFolders } from '../files/folders.ts'
import { type CustomerIds, customerHolders, type Holder, jobOfOthers } from '../orders/customer-holders.ts'
import { plainMail } from '../orders/customer-mail.ts'
import { customerErasure, type EraseOutcome, type OrderJob } from '../orders/erasure.ts'
import { ownMeta } from '../orders/own-meta.ts'
import { printStatesOf } from '../orders/print-states.ts'
import { pictureKeys, removeWithPictures } from '../print/pictures.ts'
import { storedFile } from '../print/print-file.ts'
import { isSameFile, type StepFile } from '../print/print-job-steps.ts'
import { isKey } from '../storage/storage.ts'
import type { Storages } from '../storage/storages.ts'
import { onInstallation } from './installation.ts'
import { type EraseCustomerOptions, eraseCustomerOptions } from './options.ts'

/** An order that could not be emptied, and why. */
export interface ErasureProblem {
  /** The order that was left as it is. */
  order: number
  message: string
}

/** What was erased, and what is left for others to erase. */
export interface Erasure {
  /** Ids of the orders that were emptied, or would be. */
  orders: number[]
  /** Print jobs that were deleted with them, or would be. */
  printJobs: number
  /** Print files that were removed, or would be, with pictures unpacked from them. */
  files: number
  /**
   * Meta rows of the CMS with data of this product that were emptied or deleted, or would be: the recipient in copies of
   * orders at the print provider, and products that the customer's account has saved.
   */
  metaRows: number
  /** What else holds data of the customer and was not changed; the first {@link maxHolders}. */
  holders: Holder[]
  /** How many more there are. */
  moreHolders: number
  /** Orders that were left as they are; call again once the reason is gone. */
  problems: ErasureProblem[]
}

/** Entries of `holders`. */
const maxHolders = 10_000

/**
 * Empties the shortcode orders with this e-mail address: name, address and design. Amounts and ids of products stay, and
 * so do the orders themselves. Their print jobs and print files are deleted. The notes of print states are removed, also
 * those of the customer's orders of the shop and of forms. In the meta of the CMS, copies of orders at the print provider
 * lose their recipient, and saved products of the customer's account are deleted. What belongs to the CMS, and what others
 * may use, too, is only reported. Each order is a transaction of its own; a call that was interrupted can be repeated.
 * @throws Error with a sentence when an option is wrong, or the database cannot be used
 * @example
 * const { orders, holders, problems } = await eraseCustomer({ database, mail: 'ada@shop.example', uploads: { dir, url } })
 */
export async function eraseCustomer(options: EraseCustomerOptions): Promise<Erasure> {
  checkOptions(eraseCustomerOptions, options)
  const mail = plainMail(options.mail)
  if (!/^[^@]+@[^@]+$/.test(mail) || mail.length > 320) throw new Error('mail: must be an e-mail address.')
  return onInstallation(options, 'erase_customer', (database, all) =>
    eraseAll(database, all, { ...options, mail }),
  )
}

async function eraseAll(
  database: Database,
  storages: Storages,
  { mail, dryRun = false, onProgress = () => {}, onMetaChanged }: EraseCustomerOptions,
): Promise<Erasure> {
  const { t } = database
  const found: Erasure = {
    orders: [],
    printJobs: 0,
    files: 0,
    metaRows: 0,
    holders: [],
    moreHolders: 0,
    problems: [],
  }
  const named = new Set<string>()
  const name = (holder: Holder) => {
    const row = JSON.stringify(holder)
    if (named.has(row)) return
    if (named.size === maxHolders) found.moreHolders++
    else {
      named.add(row)
      found.holders.push(holder)
    }
  }
  const erasure = customerErasure(database, mail)
  onProgress(t.orders)
  const ids: number[] = []
  for await (const some of erasure.orders()) {
    ids.push(...some.ids)
    for (const id of some.similar)
      name({ table: t.orders, id, what: 'order whose address differs only in its spelling' })
  }
  const customer: CustomerIds = { references: new Set(), orders: new Set(), accounts: new Set() }
  const holders = customerHolders(database, mail, onProgress)
  for await (const holder of holders.byMail(customer)) name(holder)
  onProgress(t.print_jobs)
  const foreignJobs = new Map<number, number[]>(ids.map((id) => [id, []]))
  for await (const { id, order, mentions } of erasure.foreignJobs()) {
    const [type, orderId] = order?.split(':') ?? []
    const foreignJob = type === 'shortcode' ? foreignJobs.get(Number(orderId)) : undefined
    if (foreignJob) foreignJob.push(id)
    else if (mentions || customer.references.has(order ?? ''))
      name({ table: t.print_jobs, id, what: jobOfOthers })
  }
  for await (const holder of holders.requests(ids)) name(holder)
  const orderRefs = [...customer.references, ...ids.map((id) => `shortcode:${id}`)]
  // Before the orders, which an interrupted call would not find again.
  if (!dryRun) await printStatesOf(database).removeNotes(orderRefs)
  for (const [at, id] of ids.entries()) {
    onProgress(`order ${at + 1} of ${ids.length}`)
    const erased = await eraseOrder({ erasure, storages, dryRun }, id, foreignJobs.get(id) ?? [])
    add(found, id, erased)
    for (const holder of holdersOf(database, erased)) name(holder)
  }
  const meta = ownMeta(database, mail)
  onProgress('meta of orders and accounts')
  for await (const row of meta.find(customer.orders, customer.accounts)) {
    found.metaRows++
    if (dryRun) continue
    await meta.erase(row)
    const { table, objectId, metaKey } = row
    const change = { table, objectId, keys: [metaKey] }
    await notifyListener('onMetaChanged', onMetaChanged, change, warnListenerFailed)
  }
  return found
}

function add(found: Erasure, order: number, { outcome, jobs, files, problem }: OrderErasure): void {
  found.files += files
  if (problem) found.problems.push({ order, message: problem })
  if (outcome.state === 'unreadable') {
    const message = `Its ${outcome.columns.join(' and ')} cannot be read; repair or delete the order.`
    found.problems.push({ order, message })
  }
  if (outcome.state !== 'erased') return
  found.orders.push(order)
  found.printJobs += jobs.length
}

/** What an erased order leaves elsewhere. */
function* holdersOf({ t }: Database, { outcome, jobs, kept }: OrderErasure): Generator<Holder> {
  if (outcome.state !== 'erased') return
  for (const { id, providerOrder } of [...jobs, ...kept])
    if (providerOrder) yield { table: t.print_jobs, id, what: `order ${providerOrder} at the print provider` }
  for (const { id } of kept)
    yield { table: t.print_jobs, id, what: 'print job whose file is not in the folder of print files' }
  for (const id of outcome.pictures) yield { table: t.assets, id, what: 'uploaded picture in a design' }
}

interface Services {
  erasure: ReturnType<typeof customerErasure>
  storages: Storages
  dryRun: boolean
}

interface OrderErasure {
  outcome: EraseOutcome
  /** The print jobs that were deleted with it, or would be. */
  jobs: OrderJob[]
  /** Jobs that stay, because they name a file outside of the folder of print files. */
  kept: OrderJob[]
  /** Files that were removed, or would be. */
  files: number
  /** Why it is not done, or not known to be complete. */
  problem?: string
}

/** How often an order is tried again because it got another print file meanwhile. */
const maxAttempts = 10

/** Erases one order: its print files first, because only its rows say where they are. */
async function eraseOrder(
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
    const written = await erasure.erase({ id, foreignJobs, checkedJobs: all, keptJobs: kept })
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

function filesOf({ file, stepFile }: OrderJob): StepFile[] {
  const stored = storedFile(file)
  return [stored, isSameFile(stored, stepFile) ? undefined : stepFile].filter((file) => file !== undefined)
}
