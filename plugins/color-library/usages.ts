// Where a color or palette is used: palettes, print profiles, the color picker, designs, and products as far as all could be looked through.
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../src/db/connect.ts'
import { readStoredJson } from '../../src/db/stored-json.ts'
import { timeLeft } from '../../src/deadline.ts'
import { largeFrom, offThread } from '../../src/off-thread/off-thread.ts'
import { type Color, hexesOf, normalHex } from '../../src/options/color-library.ts'
import { blobScan, type ScanBudget, type ScanSource } from '../../src/repositories/blob-scan.ts'

export interface Question {
  /** Palettes that hold the color. */
  palettes: { id: string; name: string }[]
  id: string
  /** The color that is asked for; undefined for a palette. */
  color: Color | undefined
  /** Stored swatches of the color picker. */
  picker: string
  /** Which members of the response matter: the scans for others are left out. */
  wanted: { has(member: keyof Found): boolean }
}

type Named = { id: number; name: string }
type Titled = { id: number; title: string }

interface Found {
  palettes: { id: string; name: string }[]
  printProfiles: Named[]
  pickerPreset: boolean
  productsChecked: boolean
  products: Titled[]
  designCategories: Titled[]
}

/** With more rows than this, or when the request's time is up before, nothing is said of products. */
const mostRows = 200_000

/** Time of a request that the scan leaves for the answer, in milliseconds. */
const reserve = 500

/** Longest stretch of parsing before other requests get their turn, in milliseconds. */
const stretch = 8

/** Members that name colors and palettes, wherever they stand. */
const naming = new Set(['colorList', 'paletteId', 'colors', 'fill'])

/** The scans in their order, cheap ones first, with the member of the response that each serves. */
const scans = [
  ['print_profiles', 'printProfiles'],
  ['designs', 'designCategories'],
  ['products', 'products'],
  ['views', 'products'],
] as const satisfies [ScanSource, keyof Found][]

/** Large blobs are looked through off the main thread. */
async function isUsedIn(blobs: readonly (string | null)[], finder: Finder): Promise<boolean> {
  for (const blob of blobs) {
    const isUsed =
      (blob?.length ?? 0) < largeFrom
        ? finder.isUsedIn(blob)
        : await offThread<boolean>(import.meta.url, 'isUsedInText', blob, finder.id, finder.hex)
    if (isUsed) return true
  }
  return false
}

/** Runs on the other thread. */
export const isUsedInText = (blob: string, id: string, hex: string | undefined): boolean =>
  finderOf(id, hex).isUsedIn(blob)

/** A function that answers questions one after the other, so that scans never hold more than one connection. */
export function usageScan(database: Database, rows = mostRows) {
  const candidates = blobScan(database)

  /** Adds what uses it to `found`; false when the budget did not suffice. */
  async function collect(source: ScanSource, finder: Finder, budget: ScanBudget, found: Map<number, string>) {
    let rested = performance.now()
    for await (const candidate of candidates(source, finder.terms, budget)) {
      if (candidate === 'cut') return false
      const { id, title, blobs } = candidate
      if (!found.has(id) && (await isUsedIn(blobs, finder))) found.set(id, title)
      if (performance.now() - rested < stretch) continue
      await setImmediate()
      rested = performance.now()
    }
    return true
  }

  async function answer({ palettes, id, color, picker, wanted }: Question, until: number): Promise<Found> {
    const hex = color && normalHex(String(color.hex))
    const finder = finderOf(id, hex)
    const budget = { rows, until }
    const found = { printProfiles: new Map(), designCategories: new Map(), products: new Map() }
    let isWhole = true
    for (const [source, member] of scans) {
      if (!wanted.has(member) && !wanted.has('productsChecked')) continue
      isWhole &&= await collect(source, finder, budget, found[member])
    }
    return {
      palettes,
      printProfiles: sorted(found.printProfiles).map(([id, name]) => ({ id, name })),
      pickerPreset: hex !== undefined && hexesOf(picker).includes(hex),
      productsChecked: isWhole,
      products: isWhole ? sorted(found.products).map(([id, title]) => ({ id, title })) : [],
      designCategories: sorted(found.designCategories).map(([id, title]) => ({ id, title })),
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  return (question: Question): ReturnType<typeof answer> => {
    // The wait for one's turn counts, too.
    const until = performance.now() + timeLeft(60_000) - reserve
    const start = () => answer(question, until)
    const result = last.then(start, start)
    last = result
    return result
  }
}

const sorted = (found: Map<number, string>) => [...found].sort(([a], [b]) => a - b)

interface Finder {
  id: string
  hex: string | undefined
  /** Texts of which one stands in every blob that uses it. */
  terms: string[]
  /** Whether a stored blob names the id, or for a color its hex. What cannot be read uses what its text contains. */
  isUsedIn(this: void, stored: string | null): boolean
}

function finderOf(id: string, hex: string | undefined): Finder {
  const terms = termsOf(id, hex)
  const names = (text: string) =>
    text.split(/[\s,;]+/).some((part) => part === id || (hex !== undefined && normalHex(part) === hex))
  return {
    id,
    hex,
    terms,
    isUsedIn(stored) {
      const lower = stored?.toLowerCase()
      if (!stored || !terms.some((term) => lower?.includes(term.toLowerCase()))) return false
      const json = readStoredJson(stored, '{}')
      return json === undefined || isNamedIn(JSON.parse(json), names)
    },
  }
}

/** Terms that contain another one add nothing. */
function termsOf(id: string, hex: string | undefined): string[] {
  const digits = hex?.slice(1) ?? ''
  const short = /^(.)\1(.)\2(.)\3$/.test(digits) ? [`#${digits[0]}${digits[2]}${digits[4]}`] : []
  const terms = [...new Set(hex === undefined ? [id] : [digits, ...short, id])]
  return terms.filter((term) => !terms.some((other) => other !== term && term.includes(other)))
}

function isNamedIn(root: unknown, names: (text: string) => boolean): boolean {
  // A stack of our own: stored values may be nested deeper than functions can call.
  const rest: { value: unknown; inside: boolean }[] = [{ value: root, inside: false }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, inside } = next
    if (inside && typeof value === 'string' && names(value)) return true
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [name, member] of Object.entries(value)) {
      rest.push({ value: member, inside: inside || (!isList && naming.has(name)) })
    }
  }
  return false
}
