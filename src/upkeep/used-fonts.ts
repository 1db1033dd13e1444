// Which font families the views of products and templates use, and which of them could not be printed.
import { membersOf } from '../core/foreign.ts'
import type { Connection } from '../db/connect.ts'
import { scannedRows } from '../db/scanned-rows.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fontFamilies } from '../files/font/families.ts'
import { fromJson } from '../json/parse.ts'
import { type FontChooser, fontChooser } from '../renderer/font-choice.ts'
import { fontsOf } from '../renderer/text-element.ts'

/** A font family of products. */
export interface UsedFont {
  family: string
  /** Products and templates whose views use it. */
  products: number[]
  /** The family that is printed in its place; null if it is uploaded, or missing. */
  substitute: string | null
  missing: boolean
}

/** Products that are listed for each family. */
const maxProducts = 100

/** The families, by name. @param files names of the files in the fonts folder */
export async function usedFonts(
  { db, t }: Pick<Connection, 'db' | 't'>,
  files: readonly string[],
): Promise<UsedFont[]> {
  const productsByFamily = new Map<string, Set<number>>()
  const views = { table: t.views, id: 'ID', columns: ['product_id', 'elements'] }
  for await (const rows of scannedRows({ db }, views)) {
    for (const { product_id, elements = null } of rows) {
      for (const family of familiesIn(elements)) {
        const products = productsByFamily.get(family) ?? new Set()
        productsByFamily.set(family, products)
        if (products.size < maxProducts) products.add(Number(product_id))
      }
    }
  }
  const choose = fontChooser(fontFamilies(files), { substitutes: {}, strict: false })
  return [...productsByFamily]
    .map(([family, products]) => ({ family, products: [...products], ...fontState(family, choose) }))
    .sort((a, b) => (a.family < b.family ? -1 : 1))
}

/** Which family is printed in place of this one, and whether it could not be printed. */
export function fontState(family: string, choose: FontChooser): Pick<UsedFont, 'substitute' | 'missing'> {
  const chosen = choose({ family, bold: false, italic: false })
  return 'cause' in chosen
    ? { substitute: null, missing: true }
    : { substitute: chosen.substitute ?? null, missing: false }
}

/** The fonts of a view; none if the view cannot be read. */
function familiesIn(stored: string | null): string[] {
  const json = readStoredJson(stored, '[]')
  const elements: unknown = json === undefined ? [] : fromJson(json)
  return (Array.isArray(elements) ? elements : []).flatMap((element) => fontsOf(membersOf(element)))
}
