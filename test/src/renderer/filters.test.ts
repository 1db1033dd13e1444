// What filters do to single pixels, by their definitions; the comparison with a browser looks at whole pictures.
import t from 'tap'
import { blurOf, changeOf } from '../../../src/renderer/filter-steps.ts'
import { filtersOf } from '../../../src/renderer/filters.ts'

type Pixel = [number, number, number, number]

/** The pixels of a picture of this width after the filters of an element. */
function filtered(given: object, pixels: Pixel[], width = 1): number[][] {
  const data = new Uint8ClampedArray(pixels.flat())
  changeOf({ filters: filtersOf({ filters: [given] }), tint: undefined })?.(data, width)
  return pixels.map((_, i) => [...data.subarray(4 * i, 4 * i + 4)])
}
const one = (given: object, pixel: Pixel = [200, 100, 40, 128]) => filtered(given, [pixel])[0]

t.test('filters of single pixels', (t) => {
  const expected: [object, number[]][] = [
    [{ type: 'Invert' }, [55, 155, 215, 128]],
    [{ type: 'Brightness', brightness: 0.1 }, [226, 126, 66, 128]],
    [{ type: 'Grayscale' }, [113, 113, 113, 128]],
    [{ type: 'Grayscale', mode: 'lightness' }, [120, 120, 120, 128]],
    [{ type: 'Grayscale', mode: 'luminosity' }, [117, 117, 117, 128]],
    [{ type: 'Gamma', gamma: [1, 1, 1] }, [200, 100, 40, 128]],
    [{ type: 'HueRotation', rotation: 0 }, [200, 100, 40, 128]],
    [{ type: 'Resize' }, [200, 100, 40, 128]],
    [{ type: 'RemoveColor', color: 'rgb(201,99,41)', distance: 0.02 }, [200, 100, 40, 0]],
    [{ type: 'RemoveColor', color: 'rgb(210,100,40)', distance: 0.02 }, [200, 100, 40, 128]],
  ]
  for (const [filter, wanted] of expected) t.strictSame(one(filter), wanted, JSON.stringify(filter))
  const third = { type: 'HueRotation', rotation: 2 / 3 }
  t.strictSame(one(third, [255, 0, 0, 255]), [0, 255, 0, 255], 'a third of the circle makes red green')
  t.strictSame(one(third, [0, 255, 0, 255]), [0, 0, 255, 255])
  t.strictSame(one(third, [0, 0, 255, 255]), [255, 0, 0, 255])
  t.end()
})

t.test('a convolution sums the neighbors inside of the picture', (t) => {
  const pixels = Array.from({ length: 6 }, (_, i): Pixel => [10 * (i + 1), 0, 100, 200])
  const reds = (matrix: number[]) => filtered({ type: 'Convolute', matrix }, pixels, 3).map(([red]) => red)
  t.strictSame(reds([0, 0, 0, 0, 1, 0, 0, 0, 0]), [10, 20, 30, 40, 50, 60], 'itself')
  t.strictSame(reds([0, 0, 0, 1, 0, 0, 0, 0, 0]), [0, 10, 20, 0, 40, 50], 'its left neighbor')
  t.strictSame(reds([0, 0, 0, 0, 0, 1, 0, 0, 0]), [20, 30, 0, 50, 60, 0], 'its right neighbor')
  t.strictSame(reds([0, 1, 0, 0, 0, 0, 0, 0, 0]), [0, 0, 0, 10, 20, 30], 'the one above')
  t.strictSame(reds([0, 0, 0, 0, 0, 0, 0, 1, 0]), [40, 50, 60, 0, 0, 0], 'the one below')
  t.strictSame(reds(Array(9).fill(1)), [120, 210, 160, 120, 210, 160])
  const column = Array.from({ length: 10 }, (_, i): Pixel => [i, 0, 0, 255])
  const below = filtered({ type: 'Convolute', matrix: [0, 0, 0, 0, 0, 0, 0, 1, 0] }, column)
  t.strictSame(
    below.map(([red]) => red),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 0],
  )
  const shifted = [0, 0, 0, 1, 0, 0, 0, 0, 0]
  const alphas = (opaque: boolean) =>
    filtered({ type: 'Convolute', matrix: shifted, opaque }, pixels, 3).map((pixel) => pixel[3])
  t.strictSame(alphas(false), [0, 200, 200, 0, 200, 200])
  t.strictSame(alphas(true), [200, 200, 200, 200, 200, 200])
  t.throws(() => filtersOf({ filters: [{ type: 'Convolute', matrix: [1, 2] }] }), /9, 25, 49 or 81/)
  t.end()
})

t.test('blurs add up, and are no change of pixels', (t) => {
  const blur = (amount: number) => ({ type: 'Blur', blur: amount })
  const filters = filtersOf({ filters: [blur(0.5), blur(0.5), { type: 'Invert' }] })
  const one = (0.12 * 0.5 * 100) / Math.sqrt(6)
  t.equal(blurOf({ filters } as never, { width: 300, height: 100 }), Math.hypot(one, one))
  t.equal(changeOf({ filters: filtersOf({ filters: [blur(0.5)] }), tint: undefined }), undefined)
  t.end()
})
