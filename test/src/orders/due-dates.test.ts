// Due dates as plugins for delivery dates store them.
import t from 'tap'
import { dayOf } from '../../../src/orders/due-dates.ts'

t.test('dayOf: Unix seconds, digits and ISO dates are days; anything else is none', async (t) => {
  t.equal(dayOf('1777420800'), '2026-04-29')
  t.equal(dayOf('20260429'), '2026-04-29')
  t.equal(dayOf(' 2026-04-29T10:00:00 '), '2026-04-29')
  for (const text of [null, '', 'soon', '2026-13-01', '29.04.2026', '202604290'])
    t.notOk(dayOf(text)?.startsWith('2026'), String(text))
})
