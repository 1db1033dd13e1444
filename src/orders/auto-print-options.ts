// The rules of automatic printing, from the host's option or the shop's settings.
import { Type } from '@sinclair/typebox'
import { booleanOption, type OptionsOf, oneOf, optionsObject, stringOption } from '../core/check-options.ts'
import { readFlag, readStoredArray } from '../db/stored-json.ts'
import { type ExportOverrides, outputFormats, pageForms } from '../print/export-request.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { orderTypes } from './all-orders.ts'
import { statusesIn, storedPrintableStatuses } from './printable.ts'
import type { OrderType } from './source.ts'

const must = 'be true, false or an object such as { types: ["wc"] }'

const autoPrintProperties = optionsObject(
  {
    /** States of shop orders that are printed. Default: `printableStatuses`. @example ['processing'] */
    statuses: Type.Optional(
      Type.Array(stringOption, { minItems: 1, must: 'be an array of states such as "processing"' }),
    ),
    /** Where the orders come from: `wc`, `gf` (form entries), `shortcode`. Default: all. @example ['wc', 'shortcode'] */
    types: Type.Optional(
      Type.Array(oneOf(orderTypes, 'be wc, gf or shortcode'), {
        minItems: 1,
        must: 'be an array of wc, gf and shortcode',
      }),
    ),
    /** Format of the files. Default: as the shop's settings say. @example 'png' */
    format: Type.Optional(oneOf(outputFormats, `be one of ${outputFormats.join(', ')}`)),
    /** `single`: a file for each item. `sheet`: sheets with all pieces of an order. Default `single`. */
    pages: Type.Optional(oneOf(pageForms, 'be single or sheet')),
  },
  must,
)

/** The rules as the host writes them in the option `autoPrint`. */
export interface AutoPrintOptions extends OptionsOf<(typeof autoPrintProperties)['properties']> {}

/** The schema of the host's option `autoPrint`. */
export const autoPrintOption = Type.Union(
  [booleanOption, Type.Unsafe<AutoPrintOptions>(autoPrintProperties)],
  { must },
)

/** Automatic printing by the default rules (`true`), never (`false`), or by these rules; the settings do not count. */
export type AutoPrintOption = boolean | AutoPrintOptions

/** What is printed automatically, and how. */
export interface AutoPrintRules {
  /** States of shop orders that are printed. */
  statuses: readonly string[]
  types: readonly OrderType[]
  overrides: ExportOverrides
}

/** The settings of automatic printing. */
const settingKeys = [
  'svc_auto_print',
  'svc_auto_print_statuses',
  'svc_auto_print_types',
  'svc_auto_print_format',
  'svc_auto_print_pages',
] as const

/**
 * The rules of the host's option; without one, those of the settings. Undefined if automatic printing is off.
 * @param printable the printable states, if the host names them
 */
export async function autoPrintRules(
  option: AutoPrintOption | undefined,
  printable: readonly string[] | undefined,
  options: OptionsStore,
): Promise<AutoPrintRules | undefined> {
  if (option === false) return undefined
  const rules = option ?? (await storedRules(options))
  if (!rules) return undefined
  const { statuses, types, format, pages }: AutoPrintOptions = rules === true ? {} : rules
  return {
    statuses: statusesIn(statuses?.join()) ?? printable ?? (await storedPrintableStatuses(options)),
    types: types ?? orderTypes,
    overrides: { ...(format && { output_format: format }), ...(pages === 'sheet' && { pages }) },
  }
}

/** The settings in the form of the option; undefined if they switch automatic printing off. */
async function storedRules(options: OptionsStore): Promise<AutoPrintOptions | undefined> {
  const stored = await options.getMany(settingKeys)
  if (!readFlag(stored.get('svc_auto_print') ?? '')) return undefined
  const statuses = statusesIn(stored.get('svc_auto_print_statuses'))
  const storedTypes = stored.get('svc_auto_print_types')
  const names =
    storedTypes === undefined ? orderTypes : (readStoredArray(storedTypes) ?? []).map(([, name]) => name)
  const format = outputFormats.find((name) => name === stored.get('svc_auto_print_format'))
  return {
    types: orderTypes.filter((type) => names.some((name) => name === type)),
    ...(statuses && { statuses }),
    ...(format && { format }),
    ...(stored.get('svc_auto_print_pages') === 'sheet' && { pages: 'sheet' }),
  }
}
