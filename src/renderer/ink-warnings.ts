// Warns of what pages for a press print with: too much ink in one place, small text in several inks, and pictures in RGB.
import type { Placed } from './compose.ts'
import type { KeptPicture } from './drawn-materials.ts'
import { picturesIn } from './marks.ts'
import { type PageBox, pointsOf } from './page.ts'
import { inkOfPicture } from './picture-ink.ts'
import { isGrayPicture } from './picture-pixels.ts'
import { colorsIn, type PressTask, pressColors } from './press-colors.ts'
import type { Findings } from './refusal.ts'
import { smallText, smallTextOf } from './small-text.ts'

/**
 * Adds warnings about the pages to the findings.
 * @param pictures by their keys in marks
 * @throws Undrawable if the profile does not convert colors
 */
export async function warnOfInk(
  pages: readonly { view: string; page: PageBox; placed: readonly Placed[] }[],
  pictures: ReadonlyMap<string, KeptPicture>,
  press: PressTask,
  findings: Findings,
): Promise<void> {
  const colors = await pressColors(
    pages.flatMap(({ placed }) => placed.flatMap(({ marks }) => marks)),
    press,
  )
  const { inks } = colors
  /** Percent of all inks of each picture that was measured. */
  const measured = new Map<string, number>()
  for (const { view, page, placed } of pages) {
    for (const { element, marks } of placed) {
      const warn = (code: 'ink' | 'rgb', message: string, value?: number) =>
        findings.warn({ code, view, element: element.title, message, ...(value !== undefined && { value }) })
      const coverages = colorsIn(marks).map((color) => inks(color).reduce((sum, ink) => sum + ink, 0))
      for (const key of picturesIn(marks, { withShadows: false })) {
        const picture = pictures.get(key)
        if (!picture) continue
        const coverage = measured.get(key) ?? (await inkOfPicture(picture, press.profile))
        measured.set(key, coverage)
        coverages.push(coverage)
        if ('source' in picture && !picture.source.isCmyk && !isGrayPicture(picture.source))
          warn('rgb', 'The picture has RGB colors, which the output profile converts.')
      }
      const small = smallTextOf(marks, pointsOf(page), colors)
      if (small)
        warn(
          'ink',
          `Text of ${small.size} pt is printed in ${small.inks} inks; below ${smallText} pt one ink stays sharp.`,
          small.size,
        )
      const value = Math.round(Math.max(0, ...coverages))
      if (value > press.maxInk)
        warn('ink', `All inks together cover ${value} %; at most ${press.maxInk} % are meant.`, value)
    }
  }
}
