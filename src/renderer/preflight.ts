// Checks before anything is painted: resolution, position, and drawings that become pictures.

import type { Placed } from './compose.ts'
import type { Face } from './face.ts'
import { common } from './matrix.ts'
import { bledBox, type PageBox } from './page.ts'
import { pressFaults } from './press-checks.ts'
import type { FindingCode, Findings } from './refusal.ts'
import type { PageReport, PressLimits } from './task.ts'

/** A page, and all pages that show the same elements: one for each print area. */
export interface Inspected {
  page: PageBox
  siblings: readonly PageBox[]
}

export interface Checks {
  minDpi: number | undefined
  /** Undefined for previews. */
  press: PressLimits | undefined
  /** Whether pictures in CMYK stay so. */
  keepsCmyk: boolean
  faces: ReadonlyMap<string, Face>
}

/** @returns the page as in the summary */
export function inspect(
  view: string,
  { page, siblings }: Inspected,
  placed: readonly Placed[],
  findings: Findings,
  { minDpi, press, keepsCmyk, faces }: Checks,
): PageReport {
  const isOn = ({ area }: Placed, on: PageBox) => common(area, bledBox(on)) !== undefined
  const isFirst = page === siblings[0]
  const isNowhere = (each: Placed) => !siblings.some((on) => isOn(each, on))
  // What lies on another page is told there.
  const told = placed.filter((each) => isOn(each, page) || (isFirst && isNowhere(each)))
  const elements = told.map((each) => {
    const { element, pixels, isRasterized, isCmyk, note } = each
    const warn = (code: FindingCode, message: string, value?: number) =>
      findings.warn({ code, view, element: element.title, message, ...(value !== undefined && { value }) })
    if (!isOn(each, page)) warn('box', 'The element lies outside of the printed box.')
    if (each.marks.length === 0 && element.kind === 'text' && element.text.trim() !== '')
      warn('feature', 'The text has neither a fill nor a stroke, and is not seen.')
    if (isRasterized) warn('drawing', 'The drawing is printed as a picture, not as vectors.')
    if (note !== undefined) warn(element.kind === 'text' ? 'feature' : 'drawing', note)
    if (isCmyk && !keepsCmyk) warn('picture', 'The picture has CMYK colors, which are printed as RGB.')
    if (element.blend && keepsCmyk)
      warn(
        'feature',
        'The inks of the element are blended with those below it, which looks darker than on screen.',
      )
    const dpi = pixels ? Math.floor(pixels.own / ((pixels.stage * page.width) / page.box.width / 25.4)) : null
    if (dpi !== null && minDpi !== undefined && dpi < minDpi) {
      warn('resolution', `The picture is printed at ${dpi} dpi; the print profile asks for ${minDpi}.`, dpi)
    }
    for (const { code, message, value } of press && isOn(each, page)
      ? pressFaults(each, page, faces, press)
      : [])
      warn(code, message, value)
    return { title: element.title, type: element.kind, dpi }
  })
  const { name, width, height, bleed } = page
  return { view, area: name ?? null, width, height, bleed, elements }
}
