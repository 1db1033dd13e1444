// The options with layouts of legacy installations: what they contain, and whether PHP has changed them.
import { membersOf } from '../core/foreign.ts'
import { stateTag } from '../db/state-tag.ts'
import { fingerprint, readImportRecord } from './import-record.ts'
import {
  importRecordKey,
  layoutPrefix,
  type OptionValues,
  parseOption,
  shownLayoutKey,
  validName,
} from './rows.ts'

/** The stored layout; undefined if there is none or it cannot be read. */
export function parseLayout(stored: string | undefined): object | undefined {
  const layout = stored === undefined ? undefined : parseOption(stored, '{}')
  return typeof layout === 'object' && layout !== null ? layout : undefined
}

/** The slug of the layout that the storefront shows. */
export const shownSlug = (rows: OptionValues) => rows.get(shownLayoutKey) || 'default'

/** The slugs of all options with layouts. */
export const layoutSlugs = (rows: OptionValues) =>
  [...rows.keys()].filter((key) => key.startsWith(layoutPrefix)).map((key) => key.slice(layoutPrefix.length))

/** The fingerprint of a layout with the name of its row, because PHP stores the name within the layout. */
export const layoutFingerprint = (layout: unknown, name: string) => fingerprint({ ...Object(layout), name })

/** What the import record stores about the option with this layout. */
export const layoutRecord = (stored: string, slug: string) => {
  const layout = parseLayout(stored)
  return {
    row: stateTag(stored),
    data: layout ? layoutFingerprint(layout, validName(membersOf(layout).name, slug)) : '',
  }
}

/** Whether PHP has changed layouts, or which one is shown, since the last check. */
export function layoutsChanged(rows: OptionValues): boolean {
  const { layouts, user_interfaces: idBySlug, shown } = readImportRecord(rows.get(importRecordKey))
  const slugs = layoutSlugs(rows)
  if (!idBySlug || slugs.length === 0) return false
  if (!layouts || shown !== shownSlug(rows)) return true
  return (
    slugs.some((slug) => layouts[slug]?.row !== stateTag(rows.get(layoutPrefix + slug))) ||
    Object.keys(layouts).some((slug) => !slugs.includes(slug))
  )
}
