// Decides by their state which orders are to be printed, and by refunds how many pieces of an item; and makes the findings about
// orders that are printed anyway.
import type { Finding } from '../renderer/refusal.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { BoughtItem, OrderFacts, OrderType } from './source.ts'

/** The states that WooCommerce counts as paid (`wc_get_is_paid_statuses`). */
export const paidStatuses: readonly string[] = ['processing', 'completed']

/** Payment states of form entries that count as paid; entries of forms without a payment are `active`. */
const paidEntries: readonly string[] = ['active', 'paid', 'approved', 'completed']

/** Setting with the printable states of shop orders, as a comma list. */
const printableSetting = 'svc_printable_statuses'

/** The printable states of the setting, else the paid ones. */
export const storedPrintableStatuses = async (options: OptionsStore): Promise<readonly string[]> =>
  statusesIn((await options.getMany([printableSetting])).get(printableSetting)) ?? paidStatuses

/** States in a comma list, without the prefix `wc-`; undefined if there is none. */
export function statusesIn(text: string | undefined): string[] | undefined {
  const names = (text ?? '').split(',').map((name) => name.trim().toLowerCase().replace(/^wc-/, ''))
  const statuses = [...new Set(names.filter((name) => name !== ''))]
  return statuses.length > 0 ? statuses : undefined
}

/**
 * Whether orders in this state are printed by default.
 * @param printable states of shop orders
 */
export function isPrintable(type: OrderType, status: string, printable: readonly string[]): boolean {
  return printableStatusesOf(type, printable)?.includes(status) ?? true
}

/** The states of the orders that are to be printed; undefined if all are. @param printable states of shop orders */
export function printableStatusesOf(type: OrderType, printable: readonly string[]) {
  if (type === 'shortcode') return undefined
  return type === 'gf' ? paidEntries : printable
}

/** The pieces to print of an item: ordered less refunded; undefined if the shop stores fractions, or no number of pieces. */
export function piecesOf({ quantity, refunded }: Pick<BoughtItem, 'quantity' | 'refunded'>) {
  if (quantity === null || !Number.isSafeInteger(quantity) || quantity < 1) return undefined
  if (!Number.isSafeInteger(refunded)) return undefined
  return Math.max(0, quantity - refunded)
}

/** How many pieces are printed, and why not all. */
export function piecesText(
  { quantity, refunded }: { quantity: number | null; refunded: number },
  pieces: number | undefined,
): string {
  if (pieces === undefined)
    return `Quantity ${quantity ?? 'unknown'}${refunded > 0 ? ` less ${refunded} refunded` : ''}, which is no whole number of pieces`
  const piecesName = pieces === 1 ? '1 piece' : `${pieces} pieces`
  return refunded > 0 ? `${piecesName} (${quantity} ordered, ${refunded} refunded)` : piecesName
}

/** A finding about the order itself. */
const orderFinding = (
  code: 'order-status' | 'order-refund' | 'order-quantity',
  message: string,
): Finding => ({
  code,
  view: null,
  element: null,
  message,
})

/**
 * What a print of an order, or of one of its items, should report: a state that is not printable, refunds, and quantities
 * that are no whole numbers.
 */
export function orderFindings(
  type: OrderType,
  { status, items, hasAmountOnlyRefund }: OrderFacts,
  itemId: number | undefined,
  printable: readonly string[],
): Finding[] {
  const findings: Finding[] = []
  if (!isPrintable(type, status, printable))
    findings.push(orderFinding('order-status', `The order is ${status}, which is not a printable state.`))
  if (hasAmountOnlyRefund)
    findings.push(
      orderFinding(
        'order-refund',
        'An amount of the order was refunded without naming pieces; all pieces are counted.',
      ),
    )
  for (const id of itemId === undefined ? (items?.keys() ?? []) : [itemId]) {
    const item = items?.get(id)
    const finding = item && quantityFinding(id, item)
    if (finding) findings.push(finding)
  }
  return findings
}

/** Why not all ordered pieces of an item are printed; undefined if they are. */
function quantityFinding(id: number, item: BoughtItem): Finding | undefined {
  const { name, quantity, refunded } = item
  const pieces = piecesOf(item)
  const title = `Item ${id} (${name})`
  if (pieces === undefined)
    return orderFinding(
      'order-quantity',
      quantity === null
        ? `${title} has no quantity that is a number.`
        : `${title} has the quantity ${quantity}${refunded > 0 ? ` less ${refunded} refunded` : ''}, which is not a whole number of pieces.`,
    )
  if (refunded === 0) return undefined
  const remainder =
    pieces === 0 ? 'nothing of it is left to print' : `${pieces} of ${quantity} are left to print`
  return orderFinding(
    'order-refund',
    `${title}: ${refunded} ${refunded === 1 ? 'piece was' : 'pieces were'} refunded; ${remainder}.`,
  )
}
