// Imposes pages onto press sheets: computes where each page lies. write-pdf.ts writes the sheets.
import { Undrawable } from './refusal.ts'
import type { SheetOptions } from './renderer-options.ts'

/** The size and the rules of press sheets. */
export type PressSheet = Required<SheetOptions>

const standardSheet: PressSheet = {
  width: 450,
  height: 320,
  margin: 10,
  gap: 6,
  rotate: true,
  marks: true,
}

/** Millimetres of a page with its bleed. */
interface Size {
  width: number
  height: number
}

/** Where a page lies on its sheet. */
export interface SheetPlace {
  /** The index of the page. */
  page: number
  /** Millimetres from the upper left corner of the sheet; width and height as the page lies there. */
  x: number
  y: number
  width: number
  height: number
  /** Whether it is turned by 90 degrees clockwise. */
  isTurned: boolean
}

/** Maximum pages on all sheets together. */
const maxPlaces = 2000
/** Millimetres by which a page may be larger than its place, because sizes are rounded. */
const slack = 1e-6

/** The sheet of the options with its defaults. @throws Error with a sentence if the margins leave no room */
export function sheetOf(options: SheetOptions = {}): PressSheet {
  const sheet = { ...standardSheet, ...options }
  if (Math.min(sheet.width, sheet.height) <= 2 * sheet.margin)
    throw new Error('renderer.sheet: the margins must leave room on the sheet.')
  return sheet
}

/**
 * The places of all pages, by sheet. Pages lie in rows, the highest first ("first fit decreasing height"): each goes to the first
 * sheet with room, into its first row with room, else into a new row. Pages of the same size keep their order.
 * @param copies how often each page is placed
 * @throws Undrawable if a page is larger than a sheet, or if there are too many
 */
export function imposed(
  pages: readonly Size[],
  copies: readonly number[],
  sheet: PressSheet,
): SheetPlace[][] {
  const count = copies.reduce((sum, copiesOfPage) => sum + copiesOfPage, 0)
  if (count > maxPlaces)
    throw new Undrawable('limit', `${count} pages are too many for sheets; at most ${maxPlaces} are imposed.`)
  const pieces = pages.map((size, page) => ({ page, ...orientedSize(size, sheet) }))
  pieces.sort((a, b) => b.height - a.height || b.width - a.width)
  const sheets: Row[][] = []
  for (const piece of pieces) for (let i = 0; i < (copies[piece.page] ?? 1); i++) put(piece, sheets, sheet)
  return sheets.map((rows) => rows.flatMap(({ places }) => places))
}

/** A row of pages on a sheet. */
interface Row {
  y: number
  height: number
  /** Where the next page of the row begins. */
  x: number
  places: SheetPlace[]
}

function put(piece: Omit<SheetPlace, 'x' | 'y'>, sheets: Row[][], sheet: PressSheet): void {
  const row = rowFor(piece, sheets, sheet)
  row.places.push({ ...piece, x: row.x, y: row.y })
  row.x += piece.width + sheet.gap
}

/** The first row with room on the first sheet with room; a new row or sheet if needed. */
function rowFor(
  piece: Omit<SheetPlace, 'x' | 'y'>,
  sheets: Row[][],
  { width, height, margin, gap }: PressSheet,
): Row {
  for (const rows of sheets) {
    const room = rows.find(
      (row) => row.height + slack >= piece.height && row.x + piece.width <= width - margin + slack,
    )
    if (room) return room
    const last = rows.at(-1)
    const y = last ? last.y + last.height + gap : margin
    if (y + piece.height > height - margin + slack) continue
    const row = { y, height: piece.height, x: margin, places: [] }
    rows.push(row)
    return row
  }
  const row = { y: margin, height: piece.height, x: margin, places: [] }
  sheets.push([row])
  return row
}

/** The size of a page as it lies: turned if more pages of its size fit onto a sheet then. @throws Undrawable if it does not fit */
export function orientedSize({ width, height }: Size, sheet: PressSheet): Size & { isTurned: boolean } {
  const [upright, turned] = [fitting(width, height, sheet), fitting(height, width, sheet)]
  if (sheet.rotate && turned > upright) return { width: height, height: width, isTurned: true }
  if (upright > 0) return { width, height, isTurned: false }
  const [w, h] = [width, height].map((side) => Math.round(side * 100) / 100)
  const room = `${sheet.width - 2 * sheet.margin} × ${sheet.height - 2 * sheet.margin}`
  throw new Undrawable(
    'page',
    `A page of ${w} × ${h} mm with its bleed does not fit onto a sheet with room for ${room} mm. Leave it out, or make the sheets larger.`,
  )
}

/** The number of pages of a size that fit onto a sheet. */
function fitting(width: number, height: number, sheet: PressSheet): number {
  const along = (room: number, side: number) =>
    Math.floor((room - 2 * sheet.margin + sheet.gap + slack) / (side + sheet.gap))
  return along(sheet.width, width) * along(sheet.height, height)
}

/** How the pages of a design lie on press sheets. */
export interface Imposition {
  sheet: PressSheet
  sheets: SheetPlace[][]
}
