// What a run of the tests says about how far it is.
import t from 'tap'
import { expectedDurations, progressOf } from '../support/progress.ts'

const files = [
  { path: 'a', bytes: 1000 },
  { path: 'b', bytes: 3000 },
  { path: 'c', bytes: 8000 },
]

t.test('a file is expected to take what it took, a new one as long for its size as the others', (t) => {
  t.strictSame(
    [...expectedDurations(files, { a: 10, b: 30 })],
    [
      ['a', 10],
      ['b', 30],
      ['c', 80],
    ],
  )
  const first = expectedDurations(files, {})
  t.equal((first.get('c') ?? 0) / (first.get('a') ?? 1), 8)
  t.end()
})

t.test('the rest is told by files and time, and corrected by the pace of the machine', (t) => {
  const progress = progressOf(expectedDurations(files, { a: 100, b: 300, c: 800 }), 2)
  t.equal(progress.text(0), '[0 of 3 files, about 10 min left]')
  progress.done('a')
  progress.done('b')
  t.equal(progress.text(200), '[2 of 3 files, about 7 min left]', 'as fast as it was')
  t.equal(progress.text(800), '[2 of 3 files, about 22 min left]', 'on a slower machine')
  progress.done('c')
  t.equal(progress.text(900), '[3 of 3 files, about 0 s left]')
  t.end()
})

t.test('files that nobody expected do not count', (t) => {
  const progress = progressOf(new Map([['a', 40]]), 1)
  progress.done('z')
  t.equal(progress.text(0), '[0 of 1 files, about 40 s left]')
  t.end()
})
