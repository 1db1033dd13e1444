// The page for colors and marks of print files: it changes what it shows, and keeps everything else of the profile.
import t from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { buildScreen } from '../../support/hosts/screen.ts'

await ensureCommands({ gs: 'ghostscript' })
const profiles = { FOGRA39: '/usr/share/color/icc/ghostscript/default_cmyk.icc' }
const url = 'edit-print-output'

t.test('what the form does not show stays as it was stored', async (t) => {
  const { client, host } = await buildScreen(t, { renderer: { profiles } })
  const output = { color: 'cmyk?', maxInk: '290', own: [1], marks: false }
  const data = { dpi: 300, größe: { a: 1 }, output }
  await host.call('POST', '/print-profiles', { name: 'Press <1>', data, is_master: true })
  const stored = async () => (await host.call('GET', '/print-profiles/master?include_data=1')).body.data.data
  const page = await client.get(url)
  t.match(page.texts('main')[0], 'Press <1>')
  t.strictSame(page.texts('select[name=profile] option'), ['As the server is set up', 'FOGRA39'])
  const saved = await client.submit(page, url)
  t.strictSame([saved.status, saved.headers.location], [303, 'edit-print-output?saved=1'])
  t.strictSame(await stored(), data)

  const changes = { color: 'pdfx4', profile: 'FOGRA39', condition: ' FOGRA 39 ', overprintBlack: 'true' }
  const open = await client.get(`${url}?saved=1`)
  t.match(open.texts('[role=status]')[0], 'were saved')
  t.equal((await client.submit(open, url, { ...changes, marks: '' })).status, 303)
  t.strictSame(await stored(), {
    ...data,
    output: {
      color: 'pdfx4',
      maxInk: '290',
      own: [1],
      profile: 'FOGRA39',
      condition: 'FOGRA 39',
      overprintBlack: true,
    },
  })
})

t.test('numbers beyond the precision of a double keep their digits', async (t) => {
  const { client, host } = await buildScreen(t, { renderer: { profiles } })
  const { id } = (await host.call('POST', '/print-profiles', { name: 'P', is_master: true })).body.data
  const data = '{"id":12345678901234567890,"output":[]}'
  await host.db.updateTable(host.t.print_profiles).set({ data }).where('ID', '=', id).execute()
  t.equal((await client.submit(await client.get(url), url, { marks: 'true' })).status, 303)
  const row = await host.db.selectFrom(host.t.print_profiles).select('data').executeTakeFirstOrThrow()
  t.equal(row.data, '{"id":12345678901234567890,"output":{"marks":true}}')
})

t.test('an entry that cannot be used is named, and nothing is saved', async (t) => {
  const { client, host } = await buildScreen(t, { renderer: { profiles } })
  await host.call('POST', '/print-profiles', { name: 'P', data: { a: 1 }, is_master: true })
  const page = await client.get(url)
  for (const [changes, said] of [
    [{ maxInk: '-5' }, /Ink limit must be/],
    [{ maxInk: 'much' }, /Ink limit must be/],
    [{ color: 'cmyk' }, /Color must be/],
    [{ marks: 'maybe' }, /Crop marks must be/],
    [{ condition: 'x'.repeat(101) }, /Printing condition may have/],
    [{ profile: '../../etc/passwd' }, /does not hold/],
    [{ color: 'pdfx4' }, /names no output profile/],
    [{ _form: 'x', color: 'rgb' }, /opened too long ago/],
  ] as const) {
    const refused = await client.submit(page, url, changes)
    t.ok(refused.status >= 400 && refused.status < 500)
    t.match(refused.texts('[role=alert]')[0], said)
    const [name = '', entry] = Object.entries(changes).at(-1) ?? []
    t.ok(refused.text.includes(`name="${name}"`), String(entry))
  }
  await host.call('PATCH', '/print-profiles/master', { name: 'Q' })
  const late = await client.submit(page, url, { color: 'rgb' })
  t.equal(late.status, 412)
  t.match(late.texts('[role=alert]')[0], 'Another user')
  const { data } = (await host.call('GET', '/print-profiles/master?include_data=1')).body.data
  t.strictSame(data, { a: 1 })
  t.equal((await client.submit(late, url)).status, 303)
})

t.test('without a master, a renderer or readable data a sentence says what to do', async (t) => {
  const { client, host } = await buildScreen(t, { renderer: true })
  t.match((await client.get(url)).texts('[role=alert]')[0], /No print profile is the master/)
  t.match((await client.get('export')).text, 'href="edit-print-output"')
  await host.call('POST', '/print-profiles', { name: 'P', is_master: true })
  t.match((await client.get(url)).texts('main')[0], 'files are in RGB')
  for (const data of ['{broken', '[1]', '"text"']) {
    await host.db.updateTable(host.t.print_profiles).set({ data }).execute()
    t.match((await client.get(url)).texts('[role=alert]')[0], /cannot be read/, data)
  }
  await host.db.updateTable(host.t.print_profiles).set({ data: '[]' }).execute()
  t.match((await client.get(url)).texts('main')[0], 'files are in RGB', 'an empty object as PHP writes it')
  const off = await buildScreen(t)
  t.match((await off.client.get(url)).texts('[role=alert]')[0], /does not draw print files/)
  t.notMatch((await off.client.get('export')).text, 'href="edit-print-output"')
})
