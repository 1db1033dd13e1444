// Finds where a color or palette is used: in print profiles, design categories and products. The caller passes the palettes and the
// color picker, which are settings.
import { sql } from 'kysely'
import { unlessTooLarge } from '../core/errors.ts'
import type { Selection } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import { type Color, hexesOf, normalHex } from './stored-colors.ts'
import { type Budget, idRanges, oneAfterAnother } from './usage-scan.ts'

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

/** After so many rows, or when the request runs out of time, the search ends, and its lists are `incomplete`. */
const maxRows = 200_000

/** Rows per query. Few, because the embedded database blocks everything else meanwhile. */
const chunk = 400

/** Properties whose values name colors and palettes, at any depth. */
const namingProperties = new Set(['colorList', 'paletteId', 'colors', 'fill'])

type Row = { id: number; title: string | null } & Record<`blob${number}`, string | null>

/**
 * Returns a function that reports usages; its calls run one after the other, so that together they hold at most one connection.
 * @param rows how many rows one call may search
 */
export function usageScan(database: Database, rows = maxRows) {
  const { db, dialect, t } = database
  const views = sql`${sql.table(t.views)} as r inner join ${sql.table(t.products)} as p on p.ID = r.product_id`
  /** The scans in order, cheap ones first, with the field of the response that each fills; views count for their products. */
  const scans = [
    { table: t.print_profiles, title: 'r.name', blobs: ['r.data'], field: 'printProfiles' },
    { table: t.designs, title: 'r.title', blobs: ['r.designs', 'r.options'], field: 'designCategories' },
    { table: t.products, title: 'r.title', blobs: ['r.options'], field: 'products' },
    { table: t.views, title: 'p.title', blobs: ['r.elements', 'r.options'], field: 'products', from: views },
  ] as const
  type Scan = (typeof scans)[number] & { from?: typeof views }

  /** The rows of each chunk whose blobs may contain one of the terms, ignoring case; 'cut' and the end when the budget is used up. */
  async function* candidates(
    scan: Scan,
    terms: readonly string[],
    budget: Budget,
  ): AsyncGenerator<Row[] | 'cut'> {
    const { table, title, blobs, from } = scan
    const id = from ? 'p.ID' : 'r.ID'
    const columns = blobs.map((blob, index) => sql`${sql.ref(blob)} as ${sql.id(`blob${index}`)}`)
    const matches = blobs.map((blob) => dialect.mayContainOneOf(blob, terms))
    for await (const range of idRanges(database, { table, id: 'ID', size: chunk }, budget)) {
      if (range === 'cut') return yield 'cut'
      const matching = sql<Row>`
        select ${sql.ref(id)} as id, ${sql.ref(title)} as title, ${sql.join(columns)} from ${from ?? sql`${sql.table(table)} as r`}
        where r.ID > ${range.from} and r.ID <= ${range.to} and (${sql.join(matches, sql` or `)})`
      // Rows that are too large together cannot be searched.
      yield (await matching.execute(db).then(({ rows }) => rows, unlessTooLarge)) ?? 'cut'
    }
  }

  /** Adds ids and titles of the rows with usages to `titles`. @returns false when the budget is used up */
  async function collect(scan: Scan, finder: Finder, budget: Budget, titles: Map<number, string>) {
    const turn = turns()
    for await (const chunkRows of candidates(scan, finder.terms, budget)) {
      if (chunkRows === 'cut') return false
      for (const row of chunkRows) {
        const isUsed = scan.blobs.some((_, index) => finder.isUsedIn(row[`blob${index}`] ?? null))
        if (isUsed && !titles.has(row.id)) titles.set(row.id, row.title ?? '')
        await turn()
      }
    }
    return true
  }

  /** The usages, and the fields of the response that were not searched to the end. */
  async function report({ palettes, id, color, picker, selection }: UsageQuery, until: number) {
    const hex = color && normalHex(String(color.hex))
    const finder = finderOf(id, hex)
    const budget = { rows, until }
    const titles = { printProfiles: new Map(), designCategories: new Map(), products: new Map() }
    const incomplete = new Set<Scan['field']>()
    for (const scan of scans) {
      if (!selection.has(scan.field) && !selection.has('productsChecked')) continue
      // Once the budget is used up, no later scan is complete either.
      const isComplete = incomplete.size === 0 && (await collect(scan, finder, budget, titles[scan.field]))
      if (!isComplete) incomplete.add(scan.field)
    }
    const isComplete = incomplete.size === 0
    const usages = {
      palettes,
      printProfiles: sortedById(titles.printProfiles).map(([id, name]) => ({ id, name })),
      pickerPreset: hex !== undefined && hexesOf(picker).includes(hex),
      productsChecked: isComplete,
      products: isComplete ? sortedById(titles.products).map(([id, title]) => ({ id, title })) : [],
      designCategories: sortedById(titles.designCategories).map(([id, title]) => ({ id, title })),
    }
    return { usages, incomplete: [...incomplete] }
  }

  return oneAfterAnother(report)
}

const sortedById = (titles: Map<number, string>) => [...titles].sort(([a], [b]) => a - b)

type Finder = ReturnType<typeof finderOf>

/** Recognizes usages of a color or palette. @param hex of a color, as `normalHex` returns it */
function finderOf(id: string, hex: string | undefined) {
  const terms = termsOf(id, hex)
  const isName = (value: string) =>
    value.split(/[\s,;]+/).some((part) => part === id || (hex !== undefined && normalHex(part) === hex))
  return {
    /** Every blob that uses it contains one of these strings. */
    terms,
    /** Whether a stored blob contains the id, or the hex of a color, as a value. An unreadable blob uses every term in it. */
    isUsedIn(stored: string | null): boolean {
      const lower = stored?.toLowerCase()
      if (!stored || !terms.some((term) => lower?.includes(term.toLowerCase()))) return false
      const json = readStoredJson(stored, '{}')
      return json === undefined || isNamedIn(fromJson(json), isName)
    },
  }
}

/** The terms to search for. A term that contains another one is superfluous. */
function termsOf(id: string, hex: string | undefined): string[] {
  const digits = hex?.slice(1) ?? ''
  const short = /^(.)\1(.)\2(.)\3$/.test(digits) ? [`#${digits[0]}${digits[2]}${digits[4]}`] : []
  const terms = [...new Set(hex === undefined ? [id] : [digits, ...short, id])]
  return terms.filter((term) => !terms.some((part) => part !== term && term.includes(part)))
}

/** Whether a naming property of the value contains, at any depth, a string for which `isName` is true. */
function isNamedIn(root: unknown, isName: (value: string) => boolean): boolean {
  // An explicit stack, because stored values may be nested deeper than the call stack allows.
  const stack: { value: unknown; isNaming: boolean }[] = [{ value: root, isNaming: false }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, isNaming } = next
    if (isNaming && typeof value === 'string' && isName(value)) return true
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      stack.push({ value: inner, isNaming: isNaming || (!isList && namingProperties.has(name)) })
    }
  }
  return false
}
