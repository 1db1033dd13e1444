// Where the days of a time zone begin and end.
import t from 'tap'
import { secondsOfDays } from '../../../src/core/time-in.ts'

const boundsOf = (since: string, until: string, timeZone: string) => {
  const bounds = secondsOfDays({ since, until }, timeZone)
  return [bounds.since, bounds.until].map((seconds) =>
    new Date((seconds ?? 0) * 1000).toISOString().slice(0, 16),
  )
}

t.test(
  'secondsOfDays: from the first midnight to the one after the last day, in summer and winter',
  async (t) => {
    t.strictSame(boundsOf('2026-05-02', '2026-05-02', 'Europe/Berlin'), [
      '2026-05-01T22:00',
      '2026-05-02T22:00',
    ])
    t.strictSame(boundsOf('2026-03-29', '2026-03-29', 'Europe/Berlin'), [
      '2026-03-28T23:00',
      '2026-03-29T22:00',
    ])
    t.strictSame(boundsOf('2026-10-25', '2026-10-25', 'Europe/Berlin'), [
      '2026-10-24T22:00',
      '2026-10-25T23:00',
    ])
    t.strictSame(boundsOf('2026-01-01', '2026-01-31', 'UTC'), ['2026-01-01T00:00', '2026-02-01T00:00'])
    t.strictSame(boundsOf('2026-05-02', '2026-05-02', '-03:30'), ['2026-05-02T03:30', '2026-05-03T03:30'])
  },
)

t.test('secondsOfDays: a day without midnight begins when the clocks have been put forward', async (t) => {
  t.strictSame(boundsOf('2018-11-03', '2018-11-03', 'America/Sao_Paulo'), [
    '2018-11-03T03:00',
    '2018-11-04T03:00',
  ])
})

t.test('secondsOfDays: no bound without a day, and a number for the last day of the calendar', async (t) => {
  t.strictSame(secondsOfDays({}, 'Europe/Berlin'), { since: undefined, until: undefined })
  t.equal(secondsOfDays({ until: '9999-12-31' }, 'UTC').until, Date.UTC(10_000, 0, 1) / 1000)
})
