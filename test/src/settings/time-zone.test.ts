// The time zone of the shop, from the options of the CMS.
import t from 'tap'
import { timeOf } from '../../../src/core/html.ts'
import { shopTimeZone } from '../../../src/settings/time-zone.ts'

const zoneOf = (values: Record<string, string>) =>
  shopTimeZone({ getMany: async () => new Map(Object.entries(values)) as never })

t.test('shopTimeZone: the named zone, else the offset in hours, else UTC', async (t) => {
  t.equal(await zoneOf({ timezone_string: 'Europe/Berlin', gmt_offset: '5' }), 'Europe/Berlin')
  t.equal(await zoneOf({ timezone_string: '', gmt_offset: '-3.5' }), '-03:30')
  t.equal(await zoneOf({ gmt_offset: '5.75' }), '+05:45')
  for (const values of [{}, { gmt_offset: '0' }, { gmt_offset: 'x' }, { timezone_string: 'Mars/Olympus' }])
    t.equal(await zoneOf(values), 'UTC')
})

t.test('timeOf: names a time in the zone of the shop, with its UTC for machines', async (t) => {
  const iso = '2026-07-31T23:05:00Z'
  t.equal(timeOf(iso).text, `<time datetime="${iso}">2026-07-31 23:05</time>`)
  t.equal(timeOf(iso, 'Europe/Berlin').text, `<time datetime="${iso}">2026-08-01 01:05</time>`)
  t.equal(timeOf(iso, '-03:30').text, `<time datetime="${iso}">2026-07-31 19:35</time>`)
  t.equal(timeOf(null, 'Europe/Berlin').text, '–')
})
