// Category titles: trimmed, not empty, and unique, whatever their case.
import t from 'tap'
import { newCategory } from '../support/fixtures/rows.ts'
import type { TestHost } from '../support/hosts/build.ts'
import { catalogTables, rulesOn } from '../support/hosts/shared-host.ts'

const rule = rulesOn(t, catalogTables)

const create = ({ call }: TestHost, title: string) => call('POST', '/categories', { title })

rule('a title is stored without surrounding whitespace', async (t, host) => {
  for (const [title, stored] of [
    ['  Cups  ', 'Cups'],
    ['\tA  b\n', 'A  b'],
    ['\u00a0\u2003\ufeffNo break\u3000', 'No break'],
  ] as const) {
    const { body } = await create(host, title)
    t.equal(body.data.title, stored)
  }
  const { body } = await host.call('PATCH', '/categories/1', { title: ' Mugs ' })
  t.equal(body.data.title, 'Mugs')
  const rows = await host.db.selectFrom(host.t.categories).select('title').orderBy('ID').execute()
  t.strictSame(
    rows.map((row) => row.title),
    ['Mugs', 'A  b', 'No break'],
  )
})

rule('a title has 1 to 255 characters, counted as code points', async (t, host) => {
  await newCategory(host, 'Cups')
  for (const title of ['', ' ', '\u00a0\n', 'x'.repeat(256), '\u{1f600}'.repeat(256), 'a\u0000', '\udc00']) {
    for (const response of [
      await create(host, title),
      await host.call('PATCH', '/categories/1', { title }),
    ]) {
      t.strictSame(
        [response.status, Object.keys(response.body.data.params)],
        [400, ['title']],
        JSON.stringify(title.slice(0, 5)),
      )
    }
  }
  const longest = '\u{1f600}'.repeat(255)
  t.equal((await create(host, longest)).body.data.title, longest)
  t.equal((await create(host, 'ß'.repeat(255))).status, 201)
})

rule('a taken title gives 409, whatever its case, whitespace or normal form', async (t, host) => {
  for (const [title, same] of [
    ['ÄPFEL', ['äpfel', 'Äpfel', ' ÄPFEL ', 'A\u0308PFEL', 'a\u0308pfel\u00a0']],
    ['ΟΔΟΣ', ['οδος', 'οδοσ', 'Οδος']],
    ['Straße', ['STRAẞE', 'straße']],
    ['дом', ['ДОМ']],
    ['\u{10400}', ['\u{10428}']],
    ['kelvin', ['\u212aelvin', 'KELVIN']],
  ] as const) {
    const id = await newCategory(host, title)
    for (const other of same) {
      const { status, body } = await create(host, other)
      t.strictSame(
        [status, body.code, body.data.id],
        [409, 'svc_category_title_taken', id],
        `${title} ${other}`,
      )
    }
  }
})

rule('titles that only look or sound alike are different', async (t, host) => {
  const titles = [
    'Straße',
    'Strasse',
    'Apfel',
    'Äpfel',
    'i',
    'ı',
    'İ',
    'A B',
    'A  B',
    'AB',
    'o',
    'ö',
    'ø',
    'ﬁ',
    'fi',
    'é',
    'e',
    'А',
  ]
  for (const title of [...titles, '\u{1f600}', '\u{1f601}', 'A B.', "A 'B'"]) {
    t.equal((await create(host, title)).status, 201, title)
  }
})

rule('renaming to a taken title gives 409 and changes nothing', async (t, host) => {
  const [id, other] = [await newCategory(host, 'Cups'), await newCategory(host, 'Äpfel')]
  const { status, body } = await host.call('PATCH', `/categories/${id}`, { title: ' äPFEL', products: [] })
  t.strictSame([status, body.code, body.data], [409, 'svc_category_title_taken', { status: 409, id: other }])
  t.match(body.message, /"Äpfel"/)
  t.equal((await host.call('GET', `/categories/${id}`)).body.data.title, 'Cups')
})

rule('renaming a category to its own title gives 200, in any case', async (t, host) => {
  const id = await newCategory(host, 'Äpfel')
  for (const title of ['Äpfel', 'ÄPFEL', 'a\u0308pfel', ' äpfel ']) {
    const { status, body } = await host.call('PATCH', `/categories/${id}`, { title })
    t.strictSame([status, body.data.title], [200, title.trim()])
  }
})

rule('the title of a deleted category can be used again', async (t, host) => {
  const id = await newCategory(host, 'Cups')
  await host.call('DELETE', `/categories/${id}`)
  t.equal((await create(host, 'CUPS')).status, 201)
})

rule('a title that another writer stored with surrounding whitespace is taken too', async (t, host) => {
  await host.db
    .insertInto(host.t.categories)
    .values([
      { title: ' Cups\n', user_id: 1 },
      { title: null, user_id: 1 },
    ] as never)
    .execute()
  t.equal((await create(host, 'cups')).status, 409)
  t.strictSame(
    (await host.call('GET', '/categories')).body.data.map((item: { title: string }) => item.title).sort(),
    ['', ' Cups\n'],
  )
})

rule('of concurrent creates with one title, one succeeds', async (t, host) => {
  const forms = [' Shirts', 'SHIRTS', 'shirts ', 'ShIrTs']
  const responses = await Promise.all(Array.from({ length: 8 }, (_, i) => create(host, String(forms[i % 4]))))
  const statuses = responses.map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 201).length, 1)
  // On a busy machine one may wait too long for those before it.
  t.ok(statuses.every((status) => [201, 409, 503].includes(status)))
  t.equal((await host.call('GET', '/categories')).body.meta.total, 1)
})

rule('of concurrent renames to one title, one succeeds', async (t, host) => {
  for (let i = 0; i < 10; i++) await newCategory(host, `Category ${i}`)
  const renames = Array.from({ length: 10 }, (_, i) =>
    host.call('PATCH', `/categories/${i + 1}`, { title: i % 2 ? 'One' : 'ONE' }),
  )
  const statuses = (await Promise.all(renames)).map(({ status }) => status)
  t.strictSame(statuses.sort(), [200, ...Array.from({ length: 9 }, () => 409)])
})

rule('a category keeps its title, even where another writer stored the same title twice', async (t, host) => {
  const rows = ['Mugs', 'mugs '].map((title) => ({ title, user_id: 0 }))
  await host.db.insertInto(host.t.categories).values(rows).execute()
  const { body } = await host.call('GET', '/categories/1')
  t.equal((await host.call('PATCH', '/categories/1', { ...body.data, products: [] })).status, 200)
  t.equal((await host.call('PATCH', '/categories/1', { title: 'MUGS' })).body.data.title, 'MUGS')
  const id = await newCategory(host, 'Cups')
  t.equal((await host.call('PATCH', `/categories/${id}`, { title: 'Mugs' })).status, 409)
})

rule('surrounding whitespace does not count towards the 255 characters of a title', async (t, host) => {
  const { status, body } = await create(host, `  ${'x'.repeat(255)}  `)
  t.strictSame([status, body.data?.title], [201, 'x'.repeat(255)])
  t.match(await create(host, ` ${'y'.repeat(256)}`), {
    status: 400,
    body: {
      data: { params: { title: 'must be 1 to 255 characters long, without the whitespace around it' } },
    },
  })
})
