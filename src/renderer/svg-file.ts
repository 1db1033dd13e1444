// Writes a page of marks as an SVG file.
import { svgOf } from './emit-svg.ts'
import { picturesIn } from './marks.ts'
import type { Loaded } from './materials.ts'
import { inch } from './output-limits.ts'
import { bledBox, type DrawnPage } from './page.ts'
import { svgResources } from './svg-pictures.ts'
import type { PrintTask } from './task.ts'

/** The page with its bleed as SVG, in millimetres. Drawings that become pictures get the resolution `dpi`; pictures keep all of their pixels. */
export async function svgFile(
  { page, marks }: DrawnPage,
  loaded: Loaded,
  { dpi, maxPixels, mirror = false }: Pick<PrintTask, 'dpi' | 'maxPixels' | 'mirror'>,
): Promise<Buffer> {
  const pixelsPerStage = (page.width / page.box.width / inch) * dpi
  const resources = await svgResources(loaded, picturesIn(marks, { withShadows: true }), {
    perStage: pixelsPerStage,
    maxPixels,
    isWhole: true,
  })
  const bledLength = (length: number) => `${Math.round((length + 2 * page.bleed) * 1000) / 1000}mm`
  const [width, height] = [bledLength(page.width), bledLength(page.height)]
  return Buffer.from(svgOf({ area: bledBox(page), marks, width, height, mirror }, resources))
}
