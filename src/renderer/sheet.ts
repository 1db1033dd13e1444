// Sheets onto which several pages are imposed: where each page lies.
import { Undrawable } from './refusal.ts'
import type { SheetOptions } from './renderer-options.ts'

export type Sheet = Required<SheetOptions>

const standardSheet: Sheet = {
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

export interface Place {
  /** Index of the page. */
  page: number
  /** Millimetres from the upper left corner of the sheet; the size as it lies there. */
  x: number
  y: number
  width: number
  height: number
  /** By 90 degrees clockwise. */
  isTurned: boolean
}

/** Pages on all sheets together. */
const maxPlaces = 2000
/** Millimetres by which a page may be larger than its room: sizes come from divisions. */
const slack = 1e-6

/** @throws Error with a sentence if nothing fits onto such a sheet */
export function sheetOf(options: SheetOptions = {}): Sheet {
  const sheet = { ...standardSheet, ...options }
  if (Math.min(sheet.width, sheet.height) <= 2 * sheet.margin)
    throw new Error('renderer.sheet: the margins must leave room on the sheet.')
  return sheet
}

/**
 * Rows of pages, the highest first, each on the first sheet with room; pages of the same size keep their order.
 * @param copies of each page
 * @throws Undrawable if a page is larger than a sheet, or if there are too many
 */
export function imposed(pages: readonly Size[], copies: readonly number[], sheet: Sheet): Place[][] {
  const count = copies.reduce((sum, each) => sum + each, 0)
  if (count > maxPlaces)
    throw new Undrawable('limit', `${count} pages are too many for sheets; at most ${maxPlaces} are imposed.`)
  const pieces = pages.map((size, page) => ({ page, ...laid(size, sheet) }))
  pieces.sort((a, b) => b.height - a.height || b.width - a.width)
  const sheets: Row[][] = []
  for (const piece of pieces) for (let i = 0; i < (copies[piece.page] ?? 1); i++) put(piece, sheets, sheet)
  return sheets.map((rows) => rows.flatMap(({ places }) => places))
}

interface Row {
  y: number
  height: number
  /** Where the next page begins. */
  x: number
  places: Place[]
}

function put(piece: Omit<Place, 'x' | 'y'>, sheets: Row[][], sheet: Sheet): void {
  const row = rowFor(piece, sheets, sheet)
  row.places.push({ ...piece, x: row.x, y: row.y })
  row.x += piece.width + sheet.gap
}

/** The first row with room, else a new one on the first sheet with room. */
function rowFor(piece: Omit<Place, 'x' | 'y'>, sheets: Row[][], { width, height, margin, gap }: Sheet): Row {
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

/** The page as it lies: turned if more of its size fit then. */
function laid({ width, height }: Size, sheet: Sheet): Size & { isTurned: boolean } {
  const [upright, turned] = [fitting(width, height, sheet), fitting(height, width, sheet)]
  if (sheet.rotate && turned > upright) return { width: height, height: width, isTurned: true }
  if (upright > 0) return { width, height, isTurned: false }
  const [w, h] = [width, height].map((side) => Math.round(side * 100) / 100)
  const room = `${sheet.width - 2 * sheet.margin} × ${sheet.height - 2 * sheet.margin}`
  throw new Undrawable(
    'page',
    `A page of ${w} × ${h} mm with its bleed does not fit onto a sheet with room for ${room} mm.`,
  )
}

function fitting(width: number, height: number, sheet: Sheet): number {
  const along = (room: number, side: number) =>
    Math.floor((room - 2 * sheet.margin + sheet.gap + slack) / (side + sheet.gap))
  return along(sheet.width, width) * along(sheet.height, height)
}

/** How the pages of a design lie on sheets. */
export interface Imposition {
  sheet: Sheet
  sheets: Place[][]
}
