// Usages of a color or palette in print profiles, design categories and products; palettes and picker come from the caller.

import { timeLeft } from '../core/deadline.ts'
import type { Selection } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import { blobScan, type ScanBudget, type ScanSource } from '../db/blob-scan.ts'
import type { Database } from '../db/connect.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import { type Color, hexesOf, normalHex } from './stored-colors.ts'

interface UsageQuery {
  /** Palettes that contain the color. */
  palettes: { id: string; name: string }[]
  id: string
  /** The requested color; undefined for a palette. */
  color: Color | undefined
  /** Stored swatches of the color picker. */
  picker: string
  /** Selected fields of the response. Scans that only other fields need are skipped. */
  selection: Selection
}

type Named = { id: number; name: string }
type Titled = { id: number; title: string }

interface UsageReport {
  palettes: { id: string; name: string }[]
  printProfiles: Named[]
  pickerPreset: boolean
  productsChecked: boolean
  products: Titled[]
  designCategories: Titled[]
}

/** With more rows than this, or when the request runs out of time, the response says nothing about products. */
const maxRows = 200_000

/** Time of the request that the scan leaves for the response, in milliseconds. */
const reserve = 500

/** Properties whose values name colors and palettes, at any depth. */
const naming = new Set(['colorList', 'paletteId', 'colors', 'fill'])

/** The scans in order, cheap ones first, with the field of the response that each fills. */
const scans = [
  ['print_profiles', 'printProfiles'],
  ['designs', 'designCategories'],
  ['products', 'products'],
  ['views', 'products'],
] as const satisfies [ScanSource, keyof UsageReport][]

/** A function that runs scans one after the other, so that together they hold at most one connection. */
export function usageScan(database: Database, rows = maxRows) {
  const candidates = blobScan(database)

  /** Adds the usages to `found`; false when the budget is used up. */
  async function collect(source: ScanSource, finder: Finder, budget: ScanBudget, found: Map<number, string>) {
    const turn = turns()
    for await (const candidate of candidates(source, finder.terms, budget)) {
      if (candidate === 'cut') return false
      const { id, title, blobs } = candidate
      if (!found.has(id) && blobs.some((blob) => finder.isUsedIn(blob))) found.set(id, title)
      await turn()
    }
    return true
  }

  async function report(
    { palettes, id, color, picker, selection }: UsageQuery,
    until: number,
  ): Promise<UsageReport> {
    const hex = color && normalHex(String(color.hex))
    const finder = finderOf(id, hex)
    const budget = { rows, until }
    const found = { printProfiles: new Map(), designCategories: new Map(), products: new Map() }
    let isComplete = true
    for (const [source, field] of scans) {
      if (!selection.has(field) && !selection.has('productsChecked')) continue
      isComplete &&= await collect(source, finder, budget, found[field])
    }
    return {
      palettes,
      printProfiles: sorted(found.printProfiles).map(([id, name]) => ({ id, name })),
      pickerPreset: hex !== undefined && hexesOf(picker).includes(hex),
      productsChecked: isComplete,
      products: isComplete ? sorted(found.products).map(([id, title]) => ({ id, title })) : [],
      designCategories: sorted(found.designCategories).map(([id, title]) => ({ id, title })),
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  return (query: UsageQuery): Promise<UsageReport> => {
    // Waiting for earlier scans counts too.
    const until = performance.now() + timeLeft(60_000) - reserve
    const start = () => report(query, until)
    const result = last.then(start, start)
    last = result
    return result
  }
}

const sorted = (found: Map<number, string>) => [...found].sort(([a], [b]) => a - b)

interface Finder {
  id: string
  hex: string | undefined
  /** Every blob that uses it contains one of these strings. */
  terms: string[]
  /** Whether a stored blob contains the id, or the hex of a color, as a value. An unreadable blob uses every term in it. */
  isUsedIn(this: void, stored: string | null): boolean
}

function finderOf(id: string, hex: string | undefined): Finder {
  const terms = termsOf(id, hex)
  const names = (value: string) =>
    value.split(/[\s,;]+/).some((part) => part === id || (hex !== undefined && normalHex(part) === hex))
  return {
    id,
    hex,
    terms,
    isUsedIn(stored) {
      const lower = stored?.toLowerCase()
      if (!stored || !terms.some((term) => lower?.includes(term.toLowerCase()))) return false
      const json = readStoredJson(stored, '{}')
      return json === undefined || isNamedIn(fromJson(json), names)
    },
  }
}

/** The terms to search for. A term that contains another one is superfluous. */
function termsOf(id: string, hex: string | undefined): string[] {
  const digits = hex?.slice(1) ?? ''
  const short = /^(.)\1(.)\2(.)\3$/.test(digits) ? [`#${digits[0]}${digits[2]}${digits[4]}`] : []
  const terms = [...new Set(hex === undefined ? [id] : [digits, ...short, id])]
  return terms.filter((term) => !terms.some((other) => other !== term && term.includes(other)))
}

function isNamedIn(root: unknown, names: (value: string) => boolean): boolean {
  // An explicit stack: stored values may be nested deeper than the call stack.
  const rest: { value: unknown; inside: boolean }[] = [{ value: root, inside: false }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, inside } = next
    if (inside && typeof value === 'string' && names(value)) return true
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      rest.push({ value: inner, inside: inside || (!isList && naming.has(name)) })
    }
  }
  return false
}
