// Reads the outlines of glyphs from fontkit.
import type { Glyph } from 'fontkit'
import { unreadable } from './font-tables.ts'
import type { Outline, Segment } from './outline.ts'

/** Segments of one glyph. */
const maxSegments = 20_000

/** The outline of a glyph in em, y downwards, quadratic curves as cubic ones. @param unit em for each unit of the font @throws Undrawable */
export function glyphOutline(glyph: Glyph, unit: number): Outline {
  const outline: Segment[] = []
  let [x, y] = [0, 0]
  for (const { command, args } of glyph.path.commands) {
    if (outline.length > maxSegments) throw unreadable()
    const values = args.map((value: number, index: number) => value * (index % 2 === 0 ? unit : -unit))
    if (!values.every(Number.isFinite)) throw unreadable()
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values
    if (command === 'moveTo') outline.push(['M', a, b])
    else if (command === 'lineTo') outline.push(['L', a, b])
    else if (command === 'bezierCurveTo') outline.push(['C', a, b, c, d, e, f])
    else if (command === 'quadraticCurveTo') {
      const near = (from: number, to: number) => from + (2 / 3) * (to - from)
      outline.push(['C', near(x, a), near(y, b), near(c, a), near(d, b), c, d])
    } else outline.push(['Z'])
    if (values.length >= 2) [x, y] = [values.at(-2) ?? 0, values.at(-1) ?? 0]
  }
  return outline
}
