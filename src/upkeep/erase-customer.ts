// Erases a customer's data: empties the shortcode orders, removes their print files, and reports the other rows that hold data.
import { checkOptions } from '../core/check-options.ts'
import { SvcError } from '../core/errors.ts'
import { errorCode } from '../core/foreign.ts'
import { notifyListener, warnListenerFailed } from '../db/after-commit.ts'
import type { Database } from '../db/connect.ts'
import { svcFolders } from '../files/folders.ts'
import {
  type CustomerIds,
  customerHolders,
  type Holder,
  printJobOfSource,
} from '../orders/customer-holders.ts'
import { plainMail } from '../orders/customer-mail.ts'
import { customerMeta } from '../orders/customer-meta.ts'
import { customerErasure, type EraseOutcome, type OrderJob } from '../orders/erasure.ts'
import { printStatesOf } from '../orders/print-states.ts'
import { pictureKeys, removeWithPictures } from '../print/pictures.ts'
import { storedFile } from '../print/print-file.ts'
import { isSameFile, type StepFile } from '../print/print-job-steps.ts'
import { isKey } from '../storage/storage.ts'
import type { Storages } from '../storage/storages.ts'
import { withInstallation } from './installation.ts'
import { type EraseCustomerOptions, eraseCustomerOptions } from './options.ts'

/** An order that could not be emptied, and why. */
export interface ErasureProblem {
  /** The order that was left as it is. */
  order: number
  message: string
}

/** What was erased, and what others have to erase. */
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
  return withInstallation(options, 'erase_customer', (database, all) =>
    eraseAll(database, all, { ...options, mail }),
  )
}

async function eraseAll(
  database: Database,
  storages: Storages,
  { mail, dryRun = false, onProgress = () => {}, onMetaChanged }: EraseCustomerOptions,
): Promise<Erasure> {
  const { t } = database
  const report = erasureReport()
  const erasure = customerErasure(database, mail)
  onProgress(t.orders)
  const ids: number[] = []
  for await (const page of erasure.orders()) {
    ids.push(...page.ids)
    for (const id of page.similar)
      report.addHolder({ table: t.orders, id, what: 'order whose address differs only in its spelling' })
  }
  const customer: CustomerIds = { references: new Set(), orders: new Set(), accounts: new Set() }
  const holders = customerHolders(database, mail, onProgress)
  for await (const holder of holders.byMail(customer)) report.addHolder(holder)
  onProgress(t.print_jobs)
  const phpJobsByOrder = new Map<number, number[]>(ids.map((id) => [id, []]))
  for await (const { id, order, mentions } of erasure.phpJobs()) {
    const [type, orderId] = order?.split(':') ?? []
    const phpJobs = type === 'shortcode' ? phpJobsByOrder.get(Number(orderId)) : undefined
    if (phpJobs) phpJobs.push(id)
    else if (mentions || customer.references.has(order ?? ''))
      report.addHolder({ table: t.print_jobs, id, what: printJobOfSource })
  }
  for await (const holder of holders.requests(ids)) report.addHolder(holder)
  const orderRefs = [...customer.references, ...ids.map((id) => `shortcode:${id}`)]
  // Notes go before the orders, which a repeated call would not find again.
  if (!dryRun) await printStatesOf(database).removeNotes(orderRefs)
  for (const [index, id] of ids.entries()) {
    onProgress(`order ${index + 1} of ${ids.length}`)
    const erased = await eraseOrder({ erasure, storages, dryRun }, id, phpJobsByOrder.get(id) ?? [])
    report.addOrder(id, erased)
    for (const holder of holdersOf(database, erased)) report.addHolder(holder)
  }
  const meta = customerMeta(database, mail)
  onProgress('meta of orders and accounts')
  for await (const row of meta.find(customer.orders, customer.accounts)) {
    report.result.metaRows++
    if (dryRun) continue
    await meta.erase(row)
    const { table, objectId, metaKey } = row
    const change = { table, objectId, keys: [metaKey] }
    await notifyListener('onMetaChanged', onMetaChanged, change, warnListenerFailed)
  }
  return report.result
}

/** Collects the result. */
function erasureReport() {
  const result: Erasure = {
    orders: [],
    printJobs: 0,
    files: 0,
    metaRows: 0,
    holders: [],
    moreHolders: 0,
    problems: [],
  }
  const reported = new Set<string>()
  return {
    result,

    /** Reports a row once, or counts it if there are too many. */
    addHolder(holder: Holder): void {
      const row = JSON.stringify(holder)
      if (reported.has(row)) return
      if (reported.size === maxHolders) result.moreHolders++
      else {
        reported.add(row)
        result.holders.push(holder)
      }
    },

    addOrder(order: number, { outcome, jobs, files, problem }: OrderErasure): void {
      result.files += files
      if (problem) result.problems.push({ order, message: problem })
      if (outcome.state === 'unreadable') {
        const message = `Its ${outcome.columns.join(' and ')} cannot be read; repair or delete the order.`
        result.problems.push({ order, message })
      }
      if (outcome.state !== 'erased') return
      result.orders.push(order)
      result.printJobs += jobs.length
    },
  }
}

/** The rows and provider orders that still hold data after an order was erased. */
function* holdersOf({ t }: Database, { outcome, jobs, retainedJobs }: OrderErasure): Generator<Holder> {
  if (outcome.state !== 'erased') return
  for (const { id, providerOrder } of [...jobs, ...retainedJobs])
    if (providerOrder) yield { table: t.print_jobs, id, what: `order ${providerOrder} at the print provider` }
  for (const { id } of retainedJobs)
    yield { table: t.print_jobs, id, what: 'print job whose file is not in the folder of print files' }
  for (const id of outcome.pictures) yield { table: t.assets, id, what: 'uploaded picture in a design' }
}

interface Services {
  erasure: ReturnType<typeof customerErasure>
  storages: Storages
  dryRun: boolean
}

/** What was done with an order. */
interface OrderErasure {
  outcome: EraseOutcome
  /** The print jobs that were deleted with it, or would be. */
  jobs: OrderJob[]
  /** Jobs that stay, because they name a file outside of the folder of print files. */
  retainedJobs: OrderJob[]
  /** How many files were removed, or would be. */
  files: number
  /** Why it is not done, or may be incomplete. */
  problem?: string
}

/** How often an order is tried again because it got another print file meanwhile. */
const maxAttempts = 10

/** Erases one order: its print files first, because only its rows say where they are. */
async function eraseOrder(
  { erasure, storages, dryRun }: Services,
  id: number,
  phpJobs: readonly number[],
): Promise<OrderErasure> {
  let files = 0
  for (let attempt = 1; ; attempt++) {
    const checkedJobs = await erasure.readJobs(id, phpJobs)
    const retainedJobs = checkedJobs.filter((job) => !hasPrintFiles(job))
    const jobs = checkedJobs.filter(hasPrintFiles)
    const state = await erasure.inspect(id)
    if (state.state !== 'erasable') return { outcome: state, jobs, retainedJobs, files }
    const removal = await removeFiles({ storages, dryRun }, jobs)
    files += removal.files
    if (removal.problem)
      return { outcome: { state: 'changed' }, jobs, retainedJobs, files, problem: removal.problem }
    if (dryRun) return { outcome: { state: 'erased', pictures: state.pictures }, jobs, retainedJobs, files }
    const outcome = await erasure.erase({ id, phpJobs, checkedJobs, retainedJobs })
    if (outcome.state === 'changed' && attempt < maxAttempts) continue
    if (outcome.state === 'changed')
      return { outcome, jobs, retainedJobs, files, problem: 'It got another print file each time.' }
    // A worker that stored its file just before its job was deleted may have been killed before it removed it.
    const lateJobs = jobs.filter((job) => !job.hasEnded)
    const late = await removeFiles({ storages, dryRun }, lateJobs)
    files += late.files
    return { outcome, jobs, retainedJobs, files, ...(late.problem && { problem: late.problem }) }
  }
}

/** Removes the files of the jobs, or counts them for a dry run. @returns `problem` says why a file could not be removed */
async function removeFiles(
  { storages, dryRun }: Pick<Services, 'storages' | 'dryRun'>,
  jobs: readonly OrderJob[],
): Promise<{ files: number; problem?: string }> {
  let files = 0
  for (const file of jobs.flatMap(filesOf)) {
    try {
      const storage = await storages.at(file)
      const exists = (await storage.stat(file.key)) !== undefined
      const pictures = dryRun
        ? (await pictureKeys(storage, file.key)).length
        : await removeWithPictures(storage, file.key)
      files += Number(exists) + pictures
    } catch (error) {
      const reason = error instanceof SvcError ? error.message : errorCode(error)
      return { files, problem: `The print file ${file.key} could not be removed: ${reason}` }
    }
  }
  return { files }
}

const isPrintFile = (key: string) => isKey(key) && key.startsWith(`${svcFolders.printFiles}/`)

/** Whether all files that the job names are in the folder of print files. */
const hasPrintFiles = ({ file, stepFile }: OrderJob): boolean =>
  (file === undefined || isPrintFile(storedFile(file)?.key ?? '')) &&
  (stepFile === undefined || isPrintFile(stepFile.key))

/** The files that a job names, each once. */
function filesOf({ file, stepFile }: OrderJob): StepFile[] {
  const stored = storedFile(file)
  return [stored, isSameFile(stored, stepFile) ? undefined : stepFile].filter((file) => file !== undefined)
}
