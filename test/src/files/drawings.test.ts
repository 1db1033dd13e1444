// Honest drawings stay what they are: to the pixel, and to the byte when they come a second time.
import t from 'tap'
import { sanitizeSvg } from '../../../src/files/svg.ts'
import { drawing } from '../../support/drawings.ts'
import { difference } from '../../support/pixels.ts'

const DRAWINGS = 200

t.test('two hundred drawings look the same to the pixel after they were sanitised', async (t) => {
  const different: [number, number][] = []
  const visible = new Set<number>()
  for (let seed = 0; seed < DRAWINGS; seed++) {
    const before = Buffer.from(drawing(seed))
    const { svg, removed } = await sanitizeSvg(before)
    if (removed.length > 0) t.fail(`drawing ${seed} is said to hold ${removed.join(', ')}`)
    const pixels = await difference(before, Buffer.from(svg))
    if (pixels !== 0) different.push([seed, pixels])
    if ((await difference(before, Buffer.from(drawing(seed + 1)))) !== 0) visible.add(seed)
  }
  t.strictSame(different, [])
  t.ok(visible.size > DRAWINGS * 0.9, 'the drawings show different things')
})

t.test('a drawing that was sanitised before comes back byte for byte', async (t) => {
  const changed: number[] = []
  for (let seed = 0; seed < DRAWINGS; seed++) {
    const { svg } = await sanitizeSvg(Buffer.from(drawing(seed)))
    const again = await sanitizeSvg(Buffer.from(svg))
    if (again.svg !== svg) changed.push(seed)
  }
  t.strictSame(changed, [])
})
