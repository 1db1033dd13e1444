// What an export prints, and how: the order, the settings with the overrides of the caller, and the parts of the design that are sent
// to an export service.
import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { SvcError } from '../core/errors.ts'
import { readFlag } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import { parseExact } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import { isLockedView } from '../renderer/design.ts'
import type { Finding } from '../renderer/refusal.ts'
import { maxVariation } from './job-data.ts'

/** An order, or an item of it, to print. */
export interface ExportOrder {
  orderId: number
  orderType: string
  itemId: number | undefined
  /** JSON text of the stored customization. */
  customization: string
  /** Findings about the order itself, such as its state. */
  findings: readonly Finding[]
  /** Throws if the order has changed since it was read; called first in the transaction that creates the job or finds it again. */
  check?: (trx: Kysely<Tables>) => Promise<void>
  /** Records the job, last in the same transaction; throws if there must be no job. */
  onJobTaken?: (trx: Kysely<Tables>, jobId: number) => Promise<void>
}

/** `export_method` of jobs that are not sent to a service. */
export const rendererMethod = 'renderer'

/** Identifies the design of a job, stored as `design` in its details, so that a later change of the order is noticed. */
export const designHash = (customization: string) => hash('sha256', customization)

/** The order and item that are printed, for the details of the job. */
export const printedItemOf = ({ orderId, orderType, itemId }: ExportOrder) => ({
  order_id: orderId,
  order_type: orderType,
  item_id: itemId ?? null,
})

/** Name of the print file without extension. */
export const fileStemOf = ({ orderId, itemId }: Pick<ExportOrder, 'orderId' | 'itemId'>) =>
  itemId === undefined ? String(orderId) : `${orderId}_${itemId}`

/** Values of `output_format`. */
export const outputFormats = ['svg-pdf', 'png', 'jpeg', 'svg'] as const

/** Values of `pages`: one page per sheet, or several. */
export const pageForms = ['single', 'sheet'] as const
/** RGB, or the inks of the profile that the host has configured. */
export const colorModes = ['rgb', 'cmyk'] as const

/** Options a caller may set; the others come from the settings. */
export interface ExportOverrides {
  output_format?: (typeof outputFormats)[number]
  dpi?: number
  include_font_files?: boolean
  summary_json?: boolean
  /** `sheet`: several pages on each sheet of a PDF. */
  pages?: (typeof pageForms)[number]
  color?: (typeof colorModes)[number]
  /** Pages are mirrored from left to right. */
  mirror?: boolean
  /** Text of a PDF is drawn as paths, without fonts. */
  outlines?: boolean
  /** Adds a ticket for the way of the pieces through the print shop. */
  ticket?: boolean
}

/** Dots per inch of an export. */
export const dpiRange = { minimum: 1, maximum: 2400 } as const
/** The setting with the resolution. */
export const dpiSetting = 'svc_ae_image_dpi'

/** The settings that `settingsOfExport` reads. */
export const exportSettingKeys = [
  'svc_ae_output_file',
  dpiSetting,
  'svc_ae_hide_crop_marks',
  'svc_ae_mirror',
  'svc_ae_outlines',
  'svc_pro_export_method',
  'svc_pro_export_webhook_url',
] as const

type Design = Record<string, unknown>

/**
 * How the file is made: the stored settings with the caller's overrides.
 * @param settings values of `exportSettingKeys` by key
 * @param output the settings of the print profile, for what the caller does not set
 */
export function settingsOfExport(
  overrides: ExportOverrides,
  settings: Map<string, string>,
  output: Pick<ExportOverrides, 'mirror' | 'outlines'> = {},
) {
  const isOn = (name: 'mirror' | 'outlines') =>
    overrides[name] ?? output[name] ?? readFlag(settings.get(`svc_ae_${name}`) ?? '')
  const file = settings.get('svc_ae_output_file') ?? 'pdf'
  return {
    output_format: overrides.output_format ?? (file === 'png' || file === 'jpeg' ? file : 'svg-pdf'),
    include_font_files: overrides.include_font_files ?? file === 'zip_pdf_fonts',
    include_images: file === 'zip_pdf_custom_images',
    summary_json: overrides.summary_json ?? false,
    dpi: overrides.dpi ?? (Number(settings.get(dpiSetting)) || 300),
    hide_crop_marks: readFlag(settings.get('svc_ae_hide_crop_marks') ?? ''),
    export_method: settings.get('svc_pro_export_method') || 'nodecanvas-svg',
    ...(overrides.color && { color: overrides.color }),
    cloud_webhook: settings.get('svc_pro_export_webhook_url') ?? '',
    ...(overrides.pages === 'sheet' && { pages: overrides.pages }),
    ...(isOn('mirror') && { mirror: true }),
    ...(isOn('outlines') && { outlines: true }),
    ...(overrides.ticket && { ticket: true }),
  }
}

/**
 * The parts of a stored customization that are sent to the service: `design` is the JSON text of an object with the printed views
 * and the fonts in them, `variation_printful` the variation to order at the provider.
 * @param customization JSON text of a list of views, or of the designer's whole order
 * @throws SvcError 409 if its `variation_printful` is too long for a variation
 */
export function printedDesign(customization: string) {
  const value = parseExact(customization)
  const envelope = objectOrEmpty(value)
  const design = envelope.svc_product === undefined ? value : envelope.svc_product
  const product = objectOrEmpty(design)
  const views = [design, product.product, product.views].find(Array.isArray) ?? []
  const fonts = product.usedFonts ?? product.used_fonts ?? envelope.usedFonts
  const variation_printful = envelope.variation_printful ?? product.variation_printful ?? null
  if (JSON.stringify(variation_printful).length > maxVariation)
    throw notExported(`The variation_printful of this design is longer than ${maxVariation} characters`)
  const content = {
    product_data: views.filter((view) => !isLockedView(objectOrEmpty(view))).map(reducedView),
    used_fonts: Array.isArray(fonts) ? fonts : [],
  }
  return { design: JSON.stringify(content), variation_printful }
}

/** 409, because the client can change the stored value; usually this code means 500. */
function notExported(reason: string): SvcError {
  const message = `${reason}; nothing was exported.`
  return Object.assign(new SvcError('svc_unreadable_value', { message }), { statusCode: 409 })
}

/** A view with the properties that a print needs. */
function reducedView(view: unknown): Design {
  const { options, elements, ...viewProperties } = objectOrEmpty(view)
  // Properties may be stored in the view or in its options.
  const properties = { ...viewProperties, ...objectOrEmpty(options) }
  // A view has several printing boxes, or one.
  const boxes =
    Array.isArray(properties.printAreas) && properties.printAreas.length > 0 ? 'printAreas' : 'printingBox'
  const names = ['stageWidth', 'stageHeight', 'output', boxes].filter(
    (name) => properties[name] !== undefined,
  )
  return {
    options: Object.fromEntries(names.map((name) => [name, properties[name]])),
    elements: Array.isArray(elements) ? elements : [],
  }
}

const objectOrEmpty = (value: unknown): Design => (isObject(value) ? value : {})
