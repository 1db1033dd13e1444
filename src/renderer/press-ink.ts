// What a press with four inks makes of a design: too much ink in one place, and pictures whose colors have to be converted.
import type { Placed } from './compose.ts'
import type { Materials } from './drawn-materials.ts'
import { colorsIn, inkOfPicture, type PressTask, pressColors } from './press-colors.ts'
import type { Findings } from './refusal.ts'

export interface PlacedPage {
  view: string
  placed: readonly Placed[]
}

/** @throws Undrawable if the profile does not convert */
export async function warnOfInk(
  pages: readonly PlacedPage[],
  materials: Materials,
  press: PressTask,
  findings: Findings,
): Promise<void> {
  const { inks } = await pressColors(
    pages.flatMap(({ placed }) => placed.flatMap(({ marks }) => marks)),
    press,
  )
  const measured = new Map<string, number>()
  for (const { view, placed } of pages) {
    for (const { element, marks } of placed) {
      const warn = (code: 'ink' | 'rgb', message: string, value?: number) =>
        findings.warn({ code, view, element: element.title, message, ...(value !== undefined && { value }) })
      const sums = colorsIn(marks).map((color) => inks(color).reduce((sum, ink) => sum + ink, 0))
      const source = element.kind === 'picture' ? materials.source(element.source) : undefined
      if (element.kind === 'picture' && source?.kind === 'pixels') {
        const { bytes, isCmyk, channels } = source.picture
        const known = measured.get(element.source) ?? (await inkOfPicture(bytes, press.profile))
        measured.set(element.source, known)
        sums.push(known)
        if (!isCmyk && channels >= 3)
          warn('rgb', 'The picture has RGB colors, which the output profile converts.')
      }
      const value = Math.round(Math.max(0, ...sums))
      if (value > press.maxInk)
        warn('ink', `All inks together cover ${value} %; at most ${press.maxInk} % are meant.`, value)
    }
  }
}
