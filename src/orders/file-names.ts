// Names print files by the template of the host or of the settings, from the orders and items that the files belong to.
import {
  defaultFileName,
  fileNameOf,
  type NameTexts,
  problemInTemplate,
  storedNameOf,
  uniqueName,
} from '../core/print-name.ts'
import type { OrderOfJob } from '../print/job-data.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { shopTimeZone } from '../settings/time-zone.ts'
import { listedOrders } from './listed-names.ts'
import type { Orders } from './orders.ts'
import { piecesOf } from './printable.ts'
import type { ListedOrder } from './source.ts'

/** Setting with the template. */
const fileNameSetting = 'svc_file_name'

/** Prefixes of the numbers of orders that do not come from the shop, because sources count separately. */
const prefixes: Record<string, string> = { gf: 'form-', shortcode: 'website-' }

/** A file to name: the order that it prints, and its job. */
export interface NamedFile {
  order: OrderOfJob
  jobId: number
}

/** A stored file. */
export interface StoredName extends Omit<NamedFile, 'order'> {
  /** Undefined if the job names no order. */
  order: OrderOfJob | undefined
  key: string
}

/** The template of the setting; the default if it is empty or invalid. */
export async function storedFileName(options: OptionsStore): Promise<string> {
  const stored = (await options.getMany([fileNameSetting])).get(fileNameSetting)?.trim() ?? ''
  return stored === '' || problemInTemplate(stored) !== undefined ? defaultFileName : stored
}

/** The names of one context. @param template reads the current template */
export function fileNames(orders: Orders, cms: CmsOptions, template: () => Promise<string>) {
  /** Returns a function from a file to the texts of the template's tags; one query for each source. */
  async function textsOf(files: readonly NamedFile[]): Promise<(file: NamedFile) => NameTexts> {
    const [orderOf, timeZone] = await Promise.all([
      listedOrders(
        orders,
        files.map(({ order }) => order),
      ),
      shopTimeZone(cms),
    ])
    return ({ order, jobId }) => {
      const listed = orderOf(order)
      const date = dayIn(timeZone, listed?.created_date)
      return { ...textsOfOrder(order, listed), date, job: String(jobId) }
    }
  }

  return {
    template,
    textsOf,

    /** The name of a file that is downloaded alone: with the number of the order, even if the template has no tag for it. */
    async ofDownload({ order, jobId, key }: StoredName): Promise<string> {
      const { stem, extension } = storedNameOf(key)
      if (!order) return `${stem}.${extension}`
      const [pattern, texts] = await Promise.all([template(), textsOf([{ order, jobId }])])
      const namesOrder = pattern.includes('{number}') || pattern.includes('{job}')
      return `${fileNameOf(namesOrder ? pattern : `${pattern}-{number}`, texts({ order, jobId }))}.${extension}`
    },

    /** The names of stored files with their extensions, each different from those in `taken`; adds them to `taken`. */
    async inFolder(files: readonly StoredName[], taken = new Set<string>()): Promise<string[]> {
      const ofOrders = files.flatMap(({ order, jobId }) => (order ? [{ order, jobId }] : []))
      const [pattern, texts] = await Promise.all([template(), textsOf(ofOrders)])
      return files.map(({ order, jobId, key }) => {
        const { stem, extension } = storedNameOf(key)
        const name = order ? fileNameOf(pattern, texts({ order, jobId })) : ''
        return uniqueName(name || stem, extension, taken)
      })
    },
  }
}

export type FileNames = ReturnType<typeof fileNames>

/** The day of a time in the time zone, such as `2026-04-29`; empty if there is none. */
function dayIn(timeZone: string, iso: string | null | undefined): string {
  const time = new Date(iso ?? Number.NaN)
  // Swedish dates have the form of ISO 8601.
  return Number.isNaN(time.getTime()) ? '' : new Intl.DateTimeFormat('sv-SE', { timeZone }).format(time)
}

/** The texts of the tags about an order. @param listed undefined if the order is in the trash or deleted */
function textsOfOrder({ type, orderId, itemId }: OrderOfJob, listed: ListedOrder | undefined): NameTexts {
  const number = listed?.order_number ?? orderId
  const item = listed?.order_items?.find(({ id }) => id === itemId)
  const pieces = item && piecesOf(item)
  const attributes = item?.attributes ?? listed?.attributes ?? []
  return {
    number: `${Object.hasOwn(prefixes, type) ? prefixes[type] : ''}${number}`,
    order: orderId,
    item: itemId > 0 ? String(itemId) : '',
    sku: item?.sku ?? '',
    product: item?.name ?? listed?.product ?? '',
    attributes: attributes.map(({ value }) => value).join('-'),
    quantity: pieces === undefined ? '' : String(pieces),
    customer: listed?.customer_name ?? '',
    status: listed?.status ?? '',
  }
}
