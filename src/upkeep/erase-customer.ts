// Erases a customer's data: empties the shortcode orders, removes their print files, names what else holds data.
import { checkOptions } from '../core/check-options.ts'
import { notifyListener, warnListenerFailed } from '../db/after-commit.ts'
import type { Database } from '../db/connect.ts'
import { type CustomerIds, customerHolders, type Holder, jobOfOthers } from '../orders/customer-holders.ts'
import { plainMail } from '../orders/customer-mail.ts'
import { customerErasure } from '../orders/erasure.ts'
import { ownMeta } from '../orders/own-meta.ts'
import type { Storages } from '../storage/storages.ts'
import { eraseOrder, type OrderErasure } from './erase-order.ts'
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
 * so do the orders themselves. Their print jobs and print files are deleted. In the meta of the CMS, copies of orders at the
 * print provider lose their recipient, and saved products of the customer's account are deleted. What belongs to the CMS, and what others may
 * use, too, is only named. Each order is a transaction of its own; a call that was interrupted can be repeated.
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
  all: Storages,
  { mail, dryRun = false, onProgress = () => {}, onMetaChanged }: EraseCustomerOptions,
): Promise<Erasure> {
  const found: Erasure = {
    ...{ orders: [], printJobs: 0, files: 0, metaRows: 0, holders: [], moreHolders: 0, problems: [] },
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
  onProgress(database.t.orders)
  const ids: number[] = []
  for await (const some of erasure.orders()) {
    ids.push(...some.ids)
    for (const id of some.similar)
      name({ table: database.t.orders, id, what: 'order whose address differs only in its spelling' })
  }
  const customer: CustomerIds = { references: new Set(), orders: new Set(), accounts: new Set() }
  const foreignJobs = await search(database, { mail, ids, customer, name, onProgress })
  for (const [at, id] of ids.entries()) {
    onProgress(`order ${at + 1} of ${ids.length}`)
    const erased = await eraseOrder({ erasure, storages: all, dryRun }, id, foreignJobs.get(id) ?? [])
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

interface Search {
  mail: string
  ids: readonly number[]
  /** Filled by the search. */
  customer: CustomerIds
  name: (holder: Holder) => void
  onProgress: (state: string) => void
}

/** Names what holds data beside the orders, and returns their jobs of PHP by order. */
async function search(
  database: Database,
  { mail, ids, customer, name, onProgress }: Search,
): Promise<Map<number, number[]>> {
  const holders = customerHolders(database, mail, onProgress)
  for await (const holder of holders.byMail(customer)) name(holder)
  onProgress(database.t.print_jobs)
  const foreignJobs = new Map<number, number[]>(ids.map((id) => [id, []]))
  for await (const { id, order, mentions } of customerErasure(database, mail).foreignJobs()) {
    const [type, orderId] = order?.split(':') ?? []
    const own = type === 'shortcode' ? foreignJobs.get(Number(orderId)) : undefined
    if (own) own.push(id)
    else if (mentions || customer.references.has(order ?? ''))
      name({ table: database.t.print_jobs, id, what: jobOfOthers })
  }
  for await (const holder of holders.requests(ids)) name(holder)
  return foreignJobs
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
