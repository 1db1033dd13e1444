// Where a color or palette is used: palettes, print profiles, the color picker, and products as far as they could be looked through.
import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../src/db/connect.ts'
import { readStoredJson } from '../../src/db/stored-json.ts'
import { type Color, type ColorLibrary, hexesOf, normalHex } from '../../src/options/color-library.ts'

export interface Question {
  library: ColorLibrary
  id: string
  /** The color that is asked for; undefined for a palette. */
  color: Color | undefined
  /** Stored swatches of the color picker. */
  picker: string
  /** Whether products matter: they are what takes long. */
  products: boolean
}

/** The products are given up as unknown when there are more rows, or when it takes longer. */
export interface ScanLimits {
  rows: number
  milliseconds: number
}

/** What is left of the limits. */
interface Budget {
  rows: number
  /** On the clock of performance.now(). */
  until: number
}

const standardLimits: ScanLimits = { rows: 200_000, milliseconds: 20_000 }

/** Rows that one query looks through; small, because the embedded database does nothing else meanwhile. */
const chunk = 250

/** Longest stretch of parsing before other requests get their turn, in milliseconds. */
const stretch = 8

/** Members that name colors and palettes, wherever they stand. */
const naming = new Set(['colorList', 'paletteId', 'colors', 'fill'])

/** Rows with blobs in which something may be used; `ID` of `table` walks through them. */
interface Source {
  table: string
  join?: RawBuilder<unknown>
  id: string
  title: string
  blobs: string[]
}

interface Candidate {
  id: number
  title: string | null
  [blob: string]: unknown
}

/** A function that answers questions one after the other, so that scans never hold more than one connection. */
export function usageScan(database: Database, limits = standardLimits) {
  const { t } = database
  const profiles: Source = { table: t.print_profiles, id: 'r.ID', title: 'r.name', blobs: ['r.data'] }
  const products: Source = { table: t.products, id: 'r.ID', title: 'r.title', blobs: ['r.options'] }
  const views: Source = {
    table: t.views,
    join: sql`inner join ${sql.table(t.products)} as p on p.ID = r.product_id`,
    id: 'p.ID',
    title: 'p.title',
    blobs: ['r.elements', 'r.options'],
  }
  let last: Promise<unknown> = Promise.resolve()

  return (question: Question) => {
    const { library, id, color, picker } = question
    const hex = color && normalHex(String(color.hex))
    const budget = { rows: limits.rows, until: performance.now() + limits.milliseconds }
    const endless = { rows: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY }

    async function answer() {
      const found = new Map<number, string>()
      const used = await collect(database, profiles, id, hex, endless, new Map())
      const productsChecked =
        question.products &&
        (await collect(database, products, id, hex, budget, found)) !== undefined &&
        (await collect(database, views, id, hex, budget, found)) !== undefined
      return {
        palettes: library.palettes
          .filter((palette) => color && Array.isArray(palette?.colorIds) && palette.colorIds.includes(id))
          .map((palette) => ({ id: String(palette.id), name: String(palette.name) })),
        printProfiles: sorted(used ?? new Map()).map(([id, name]) => ({ id, name })),
        pickerPreset: hex !== undefined && hexesOf(picker).includes(hex),
        productsChecked,
        products: productsChecked ? sorted(found).map(([id, title]) => ({ id, title })) : [],
      }
    }

    const result = last.then(answer, answer)
    last = result.catch(() => {})
    return result
  }
}

const sorted = (found: Map<number, string>) => [...found].sort(([a], [b]) => a - b)

/** Adds the rows that use it to `found`; undefined when the budget did not suffice. */
async function collect(
  database: Database,
  source: Source,
  id: string,
  hex: string | undefined,
  budget: Budget,
  found: Map<number, string>,
): Promise<Map<number, string> | undefined> {
  const uses = finderOf(id, hex)
  let rested = performance.now()
  for await (const row of candidates(database, source, termsOf(id, hex), budget)) {
    if (row === 'cut') return undefined
    if (!found.has(row.id) && source.blobs.some((_, at) => uses(row[`blob${at}`] as string | null))) {
      found.set(row.id, row.title ?? '')
    }
    if (performance.now() - rested < stretch) continue
    await setImmediate()
    rested = performance.now()
  }
  return found
}

/** What the text of a blob must contain. Terms that contain another one add nothing. */
function termsOf(id: string, hex: string | undefined): string[] {
  const digits = hex?.slice(1) ?? ''
  const short = /^(.)\1(.)\2(.)\3$/.test(digits) ? [`#${digits[0]}${digits[2]}${digits[4]}`] : []
  const terms = hex === undefined ? [id] : [digits, ...short, id]
  return terms.filter((term) => !terms.some((other) => other !== term && term.includes(other)))
}

/** The rows whose blobs contain one of the terms, found by the database chunk by chunk; 'cut' when the budget is spent. */
async function* candidates(
  { db, dialect }: Database,
  { table, join = sql``, id, title, blobs }: Source,
  terms: string[],
  budget: Budget,
): AsyncGenerator<Candidate | 'cut'> {
  const columns = blobs.map((blob, at) => sql`${sql.ref(blob)} as ${sql.id(`blob${at}`)}`)
  const matches = blobs.flatMap((blob) => terms.map((term) => dialect.mayContain(blob, term)))
  for (let after = 0; ; ) {
    const { rows: ids } = await sql<{ ID: number }>`
      select ID from ${sql.table(table)} where ID > ${after} order by ID limit ${chunk}`.execute(db)
    const end = ids.at(-1)?.ID
    if (end === undefined) return
    budget.rows -= ids.length
    if (budget.rows < 0 || performance.now() > budget.until) return yield 'cut'
    const { rows } = await sql<Candidate>`
      select ${sql.ref(id)} as id, ${sql.ref(title)} as title, ${sql.join(columns)}
      from ${sql.table(table)} as r ${join}
      where r.ID > ${after} and r.ID <= ${end} and (${sql.join(matches, sql` or `)})`.execute(db)
    yield* rows
    if (ids.length < chunk) return
    after = end
    await setImmediate()
  }
}

/** Whether a stored blob names the id, or for a color its hex. What cannot be read counts as using what its text contains. */
function finderOf(id: string, hex: string | undefined): (stored: string | null) => boolean {
  const names = (text: string) =>
    text.split(/[\s,;]+/).some((part) => part === id || (hex !== undefined && normalHex(part) === hex))
  const terms = termsOf(id, hex)
  return (stored) => {
    const lower = stored?.toLowerCase()
    if (!stored || !terms.some((term) => lower?.includes(term.toLowerCase()))) return false
    const json = readStoredJson(stored, '{}')
    if (json === undefined) return true
    // A stack of our own: stored values may be nested deeper than functions can call.
    const rest: { value: unknown; inside: boolean }[] = [{ value: JSON.parse(json), inside: false }]
    for (let next = rest.pop(); next; next = rest.pop()) {
      const { value, inside } = next
      if (inside && typeof value === 'string' && names(value)) return true
      if (typeof value !== 'object' || value === null) continue
      const isArray = Array.isArray(value)
      for (const [name, member] of Object.entries(value)) {
        rest.push({ value: member, inside: inside || (!isArray && naming.has(name)) })
      }
    }
    return false
  }
}
