// Outlines of shapes are upper bounds.
import t from 'tap'
import { matrixOf } from '../../../../src/files/svg/geometry.ts'
import { outlineOf } from '../../../../src/files/svg/outline.ts'

const path = (d: string) => outlineOf('path', new Map([['d', d]]))
const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom })

t.test('the outline of a path is that of its lines, in every notation', async (t) => {
  const square = { box: box(0, 0, 10, 10), length: 40, vertices: 5 }
  for (const d of [
    'M0 0H10V10H0Z',
    'm0,0h10v10h-10z',
    'M0 0 10 0 10 10 0 10z',
    'M0-0L1e1,0 10 1E1 0 +10.0z',
    'M0 0l10 0 0 10-10 0z trailing nonsense',
  ])
    t.match(path(d), square, d)
})

t.test('curves lie within their control points, including reflected ones', async (t) => {
  t.match(path('M0 0C0 30 50-20 10 0').box, box(0, -20, 50, 30))
  t.match(path('M0 0Q50 50 10 0').box, box(0, 0, 50, 50))
  t.match(path('M0 0C0 0 20 10 10 0S5 5 0 0').box, box(0, -10, 20, 10))
  // Each control point reflects the previous one.
  t.match(path('M0 0T1 0T0 0T1 0T0 0').box, box(-2, 0, 4, 0))
})

t.test('arcs with flags that are not separated lie within twice their radius', async (t) => {
  const { box: found, vertices } = path('M10 10a5 5 0 0110 0 5 5 0 1 1-10 0')
  t.equal(vertices, 3)
  t.ok(found && found.left <= 10 && found.right >= 20 && found.top <= 5 && found.bottom >= 15)
})

t.test('invalid numbers give no box', async (t) => {
  for (const d of ['', 'M1e999 0L0 0', 'x']) t.equal(path(d).box, undefined, d)
  t.equal(outlineOf('rect', new Map([['width', '50%']])).box, undefined)
  t.match(outlineOf('circle', new Map([['r', '5px']])).box, box(-5, -5, 5, 5))
})

t.test('transforms are multiplied from left to right', async (t) => {
  t.strictSame(matrixOf('translate(5) scale(2 3),matrix(1 0 0 1 10 10)'), [2, 0, 0, 3, 25, 30])
  t.strictSame(matrixOf(''), [1, 0, 0, 1, 0, 0])
  for (const text of ['perspective(3)', 'scale(2', 'scale(1e999)', 'x'])
    t.equal(matrixOf(text), undefined, text)
})
