// Pictures outside the print profile's limits are accepted with a warning.
import t from 'tap'
import { limitWarning } from '../../../../src/files/picture/limits.ts'

const LIMITS = { minDpi: 150, minWidth: 100, minHeight: 50, maxWidth: 1000, maxHeight: 2000 }

t.test('limitWarning: a picture within or at the limits gives no warning', async (t) => {
  t.equal(limitWarning({ width: 100, height: 2000, density: 150 }, LIMITS), undefined)
  t.equal(limitWarning({ width: 1, height: 1, density: 1 }, {}), undefined)
})

t.test('limitWarning: every violated limit is named with its unit', async (t) => {
  t.equal(
    limitWarning({ width: 99, height: 2001, density: 72 }, LIMITS),
    'The picture is narrower than 100 pixels and taller than 2000 pixels and below 150 dpi.',
  )
  t.equal(
    limitWarning({ width: 1001, height: 49, density: 300 }, LIMITS),
    'The picture is shorter than 50 pixels and wider than 1000 pixels.',
  )
})

t.test('limitWarning: unknown sizes violate no limit', async (t) => {
  t.equal(limitWarning({ width: null, height: null, density: null }, LIMITS), undefined)
})
