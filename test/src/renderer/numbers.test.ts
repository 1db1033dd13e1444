// Colors, matrices and outlines as numbers.
import t from 'tap'
import { parseColor } from '../../../src/renderer/color.ts'
import {
  apply,
  around,
  boundsOf,
  invert,
  multiply,
  rotate,
  scale,
  translate,
} from '../../../src/renderer/matrix.ts'
import {
  decimal,
  ellipse,
  extentOf,
  pathData,
  polygon,
  rectangle,
  transformed,
} from '../../../src/renderer/outline.ts'
import { parsePath } from '../../../src/renderer/path-data.ts'

const rounded = (values: readonly number[]) => values.map((value) => Number(value.toFixed(6)) + 0)

t.test('a color is read in every notation of CSS', async (t) => {
  for (const [text, ...color] of [
    ['#f80', 255, 136, 0, 1],
    ['#F808', 255, 136, 0, 136 / 255],
    ['#ff8800', 255, 136, 0, 1],
    ['#ff880033', 255, 136, 0, 0.2],
    ['DarkOrange', 255, 140, 0, 1],
    ['rgb(255, 136, 0)', 255, 136, 0, 1],
    ['rgb(100% 50% 0%)', 255, 128, 0, 1],
    ['rgba(300,-5,0.4,.5)', 255, 0, 0, 0.5],
    ['rgba(1 2 3 / 25%)', 1, 2, 3, 0.25],
    ['hsl(0, 100%, 50%)', 255, 0, 0, 1],
    ['hsl(120deg 100% 25%)', 0, 128, 0, 1],
    ['hsl(-120, 50%, 75%)', 159, 159, 223, 1],
    ['hsla(60, 100%, 50%, 2)', 255, 255, 0, 1],
  ] as const) {
    const [r, g, b, a] = color
    t.same(parseColor(text), { r, g, b, a }, text)
  }
  for (const text of ['#ff', '#ff880', '#ggg', 'rgb(1,2)', 'rgb(1,2,3,4,5)', 'rgb(a,b,c)', 'cmyk(1,2,3)'])
    t.equal(parseColor(text), undefined, text)
})

t.test('matrices turn, scale and move, the inner one first', async (t) => {
  const at = { x: 2, y: 1 }
  t.same(apply(multiply(translate(10, 20), scale(2, 3)), at), { x: 14, y: 23 })
  t.same(apply(multiply(scale(2, 3), translate(10, 20)), at), { x: 24, y: 63 })
  const quarters = [90, 180, 270, 360, -90].map((angle) => Object.values(apply(rotate(angle), at)))
  t.same(
    quarters,
    [
      [-1, 2],
      [-2, -1],
      [1, -2],
      [2, 1],
      [1, -2],
    ],
    'exact',
  )
  t.same(rounded(rotate(30)), rounded([Math.sqrt(3) / 2, 0.5, -0.5, Math.sqrt(3) / 2, 0, 0]))
  const bent = multiply(multiply(translate(3, 4), rotate(25)), [2, 0, 0.5, 3, 0, 0])
  t.same(rounded(multiply(bent, invert(bent) ?? bent)), [1, 0, 0, 1, 0, 0])
  t.same(invert(scale(0.5, 0.25)), scale(2, 4))
  t.equal(invert([1, 2, 2, 4, 5, 6]), undefined)
  t.equal(invert([Infinity, 0, 0, 1, 0, 0]), undefined)
  const box = { x: 1, y: 2, width: 3, height: 4 }
  t.same(boundsOf(rotate(90), box), { x: -6, y: 1, width: 4, height: 3 })
  t.same(boundsOf([1, 0, 1, 1, 0, 0], box), { x: 3, y: 2, width: 7, height: 4 })
  t.same(around([]), { x: 0, y: 0, width: 0, height: 0 })
})

t.test('the extent of an outline is that of its curves, not of their control points', async (t) => {
  const extent = (path: string) => rounded(Object.values(extentOf(parsePath(path))))
  t.same(rounded(Object.values(extentOf(ellipse(50, 40, 30, 20)))), [20, 20, 60, 40])
  t.same(extent('M0 0C0 40 30 40 30 0'), [0, 0, 30, 30])
  t.same(extent('M0 0C60 0-30 30 30 30'), rounded([0, 0, 30, 30]))
  t.same(
    extent('M0 0C120 0-90 30 30 30').map((value) => Number(value.toFixed(2))),
    [-8.5, 0, 47.0, 30],
    'turns twice',
  )
  t.same(extent('M0 0Q20 40 40 0'), [0, 0, 40, 20])
  t.same(extent('M10 10A10 10 0 0 1 30 10'), [10, 0, 20, 10])
  t.same(extent('M10 10A5 5 0 0 0 30 10'), [10, 10, 20, 10], 'a radius that is too small')
  t.same(extent('M10 10A0 5 0 0 0 30 15'), [10, 10, 20, 5], 'a line')
  t.same(extent('M5 5L9 9M0 0'), [0, 0, 9, 9])
})

t.test('outlines are written in short numbers, and read again', async (t) => {
  t.same(
    [1, 1.5, -0.00001, 100, 1e-7, 12.34567].map((value) => decimal(value)),
    ['1', '1.5', '0', '100', '0', '12.3457'],
  )
  t.equal(decimal(10, 0), '10')
  t.equal(pathData(rectangle({ x: 1, y: 2, width: 3, height: 4 })), 'M1 2L4 2L4 6L1 6Z')
  const round = rectangle({ x: 0, y: 0, width: 20, height: 10 }, 99, 2)
  t.equal(
    pathData(round, 2),
    'M10 0L10 0C15.52 0 20 0.9 20 2L20 8C20 9.1 15.52 10 10 10L10 10C4.48 10 0 9.1 0 8L0 2C0 0.9 4.48 0 10 0Z',
  )
  t.same(parsePath(pathData(round, 12)).length, round.length)
  t.equal(
    pathData(transformed(parsePath('M1 2C1 2 3 4 5 6L7 8Z'), [2, 0, 0, 3, 10, 20])),
    'M12 26C12 26 16 32 20 38L24 44Z',
  )
  t.same(
    [polygon([1, 2, 3, 4], true), polygon([1, 2, 3], false), polygon([], true)].map((each) => pathData(each)),
    ['M1 2L3 4Z', 'M1 2', ''],
  )
})

t.test(
  'parsePath: every outline begins with a move, also of path data that begins with another command',
  async (t) => {
    const outlines = ['L10 20L30 40Z', 'l10 20h5', 'C1 2 3 4 5 6', 'ZL10 20', 'Z'].map((path) =>
      pathData(parsePath(path)),
    )
    t.same(outlines, ['M10 20L10 20L30 40Z', 'M10 20L10 20L15 20', 'M1 2C1 2 3 4 5 6', 'M10 20L10 20', ''])
  },
)
