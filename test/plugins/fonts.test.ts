// /fonts: families, variants, replacement, and the option that offers them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { Change } from '../../plugins/index.ts'
import { readPhp } from '../../src/db/php-value.ts'
import { font } from '../support/fixtures/make-font.ts'
import { type BuildOptions, build, onEachEngine } from '../support/hosts/build.ts'
import { upload } from '../support/hosts/form.ts'
import { php } from '../support/wordpress/php.ts'

const url = 'https://shop.example/uploads/svc/fonts'

async function host(t: Test, options: BuildOptions = {}) {
  const dir = `${t.testdir({ uploads: { svc: { fonts: {} } } })}/uploads`
  const app = await build(t, { uploads: { dir, url: 'https://shop.example/uploads' }, ...options })
  const { db, t: names } = app
  return {
    ...app,
    folder: `${dir}/svc/fonts`,
    files: () => readdirSync(`${dir}/svc/fonts`).sort(),
    put: (file: string, name?: string, content = font()) =>
      upload(app, '/fonts', file, content, name === undefined ? {} : { fields: { name } }),
    names: async () => (await app.call('GET', '/fonts')).body.data.map((item: { name: string }) => item.name),
    async offered() {
      const row = await db
        .selectFrom(names.options)
        .select('option_value')
        .where('option_name', '=', 'svc_fonts_directory')
        .executeTakeFirst()
      return row?.option_value
    },
    offer: (option_value: string) =>
      db
        .insertInto(names.options)
        .values({ option_name: 'svc_fonts_directory', option_value, autoload: 'yes' })
        .execute(),
  }
}

t.test('a base file and its variants make up one family', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { put, call, files } = await host(t, { engine })
    t.match(await put('My_Font.ttf'), {
      status: 201,
      headers: { location: undefined },
      body: { data: { name: 'My Font', file: 'My_Font.ttf', url: `${url}/My_Font.ttf`, variants: {} } },
    })
    await put('My_Font__bold.ttf')
    const variants = { bold: `${url}/My_Font__bold.ttf`, bolditalic: `${url}/My_Font__bolditalic.ttf` }
    t.match(await put('whatever__bolditalic.ttf', 'my font'), { status: 201, body: { data: { variants } } })
    await put('Arial.ttf')
    const { body } = await call('GET', '/fonts')
    t.strictSame(body.meta, { total: 2 })
    t.match(body.data, [{ name: 'Arial' }, { name: 'My Font', variants }])
    t.same(files(), ['Arial.ttf', 'My_Font.ttf', 'My_Font__bold.ttf', 'My_Font__bolditalic.ttf'])
    t.match((await call('GET', '/fonts?search=MY&fields=name')).body.data, [{ name: 'My Font' }])
    t.equal((await call('GET', '/system')).body.data.counts.fonts, 2)
  }),
)

t.test('the name may carry the suffix of a variant, which counts before that of the file', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { put, files, offered } = await host(t, { engine })
    await put('x.ttf', 'My Font')
    const bold = await put('x.ttf', 'My Font__bold')
    t.match(bold, {
      status: 201,
      body: { data: { name: 'My Font', variants: { bold: `${url}/My_Font__bold.ttf` } } },
    })
    t.equal((await put('x__bold.ttf', 'my_font__Italic')).status, 201)
    t.equal((await put('y__bolditalic.ttf', 'My Font')).status, 201)
    t.same(files(), ['My_Font.ttf', 'My_Font__bold.ttf', 'My_Font__bolditalic.ttf', 'My_Font__italic.ttf'])
    t.same(readPhp((await offered()) ?? ''), { entries: [[0n, 'My_Font.ttf']] })
    t.equal((await put('x.ttf', 'Other__bold')).status, 422, 'a variant without its family')
    for (const name of ['__bold', 'a__bold__bold', 'a__thin'])
      t.equal((await put('x.ttf', name)).status, 422, name)
  }),
)

t.test('a new base file ends the old family, whatever its case', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { put, files, names, offered } = await host(t, { engine })
    for (const file of ['foo.ttf', 'foo__bold.ttf', 'foo__italic.ttf', 'foobar.ttf', 'foo_two.ttf'])
      await put(file)
    t.match(await put('FOO.ttf'), { status: 201, body: { data: { name: 'FOO', variants: {} } } })
    t.same(files(), ['FOO.ttf', 'foo_two.ttf', 'foobar.ttf'])
    t.same(await names(), ['FOO', 'foo two', 'foobar'])
    t.same(await offered(), 'a:3:{i:0;s:10:"foobar.ttf";i:1;s:11:"foo_two.ttf";i:2;s:7:"FOO.ttf";}')
  }),
)

t.test('names that could reach another family or file are refused', async (t) => {
  const { put, files } = await host(t)
  await put('Foo.ttf')
  const refused = [
    'Foo.php',
    'Foo__thin',
    'Foo__bold__italic',
    'Foo/../Bar',
    '*',
    '.',
    'Foo\0',
    'x'.repeat(300),
    '../Foo',
    'Foo  Two',
  ]
  for (const name of refused) t.equal((await put('x.ttf', name)).status, 422, JSON.stringify(name))
  t.match(await put('x.ttf', ' Foo '), { status: 201, body: { data: { name: 'Foo' } } })
  t.match(await put('Bar.ttf', ''), { status: 201, body: { data: { name: 'Bar' } } })
  t.same(files(), ['Bar.ttf', 'Foo.ttf'])
})

t.test('a variant without its family, and anything but a sound TrueType file, is 422', async (t) => {
  const { put, files } = await host(t)
  t.match(await put('Foo__bold.ttf'), { status: 422, body: { message: /base file first/ } })
  t.match(await put('Foo.otf'), {
    status: 422,
    body: {
      code: 'svc_upload_type_not_allowed',
      message: /\.ttf\) can be uploaded\. Convert .* fontforge -lang=ff/,
    },
  })
  t.match(await put('Foo.ttf', undefined, Buffer.from('OTTO')), {
    body: { code: 'svc_upload_type_mismatch', message: /but the content is OTF\. Convert the OpenType font/ },
  })
  t.match(await put('Foo.ttf', undefined, Buffer.from('<html>')), {
    body: { code: 'svc_upload_type_mismatch' },
  })
  t.match(await put('Foo.ttf', undefined, font().subarray(0, 100)), { status: 422 })
  t.same(files(), [])
})

t.test('a failed replacement leaves the old family whole', async (t) => {
  const { put, files, folder } = await host(t)
  await put('Foo.ttf')
  await put('Foo__bold.ttf')
  const before = readFileSync(`${folder}/Foo.ttf`)
  t.equal((await put('Foo.ttf', undefined, font().subarray(0, 200))).status, 422)
  t.same(files(), ['Foo.ttf', 'Foo__bold.ttf'])
  t.ok(readFileSync(`${folder}/Foo.ttf`).equals(before))
})

t.test('deleting takes exactly the family and its variants', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { put, call, files, offered } = await host(t, { engine })
    for (const file of ['Foo.ttf', 'Foo__bold.ttf', 'Foobar.ttf', 'Foo_Two.ttf', 'Foo_Two__bold.ttf'])
      await put(file)
    t.strictSame((await call('DELETE', '/fonts/Foo')).body, {
      success: true,
      data: { name: 'Foo', deleted: true },
    })
    t.same(files(), ['Foo_Two.ttf', 'Foo_Two__bold.ttf', 'Foobar.ttf'])
    t.match(await call('DELETE', '/fonts/Foo'), { status: 404, body: { code: 'svc_font_not_found' } })
    for (const name of ['%2e%2e%2f', '..%2fuploads', '*', 'Foo%00', 'Foo_Two__bold'])
      t.equal((await call('DELETE', `/fonts/${name}`)).status, 404, name)
    t.equal((await call('DELETE', '/fonts/foo%20TWO')).status, 200)
    t.same(files(), ['Foobar.ttf'])
    t.equal(await offered(), 'a:1:{i:0;s:10:"Foobar.ttf";}')
  }),
)

t.test('the option keeps what others put into it, and PHP reads what we write', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { put, offer, offered } = await host(t, { engine })
    await offer('a:2:{i:0;s:9:"Other.ttf";i:5;s:11:"Füll.ttf ";}'.replace('s:11', 's:10'))
    await put('New_Font.ttf')
    await put('New_Font__bold.ttf')
    const stored = (await offered()) ?? ''
    t.match(readPhp(stored), {
      entries: [
        [0n, 'Other.ttf'],
        [1n, 'Füll.ttf '],
        [2n, 'New_Font.ttf'],
      ],
    })
    const read = await php(
      'echo json_encode(unserialize(stream_get_contents(STDIN)), JSON_UNESCAPED_UNICODE);',
      stored,
    )
    t.equal(read, '["Other.ttf","Füll.ttf ","New_Font.ttf"]')
  }),
)

t.test('the option keeps named and nested entries of a newer plugin, and its older encodings', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { put, call, offer, offered } = await host(t, { engine })
    await offer('a:3:{s:4:"main";s:7:"One.ttf";i:4;a:1:{s:4:"size";d:0.1;}i:2;s:7:"Foo.ttf";}')
    await put('foo.ttf')
    t.equal(await offered(), 'a:3:{s:4:"main";s:7:"One.ttf";i:0;a:1:{s:4:"size";d:0.1;}i:1;s:7:"foo.ttf";}')
    await call('DELETE', '/fonts/FOO')
    t.equal(await offered(), 'a:2:{s:4:"main";s:7:"One.ttf";i:0;a:1:{s:4:"size";d:0.1;}}')
  }),
)

t.test('an option that cannot be read stops every change before it begins', async (t) => {
  const { put, offer, offered, call, files, folder } = await host(t)
  writeFileSync(`${folder}/Foo.ttf`, font())
  await offer('O:8:"stdClass":0:{}')
  t.match(await put('Bar.ttf'), { status: 500, body: { code: 'svc_unreadable_value' } })
  t.equal((await call('DELETE', '/fonts/Foo')).status, 500)
  t.same(files(), ['Foo.ttf'])
  t.equal(await offered(), 'O:8:"stdClass":0:{}')
})

t.test('fonts of the CMS are listed; variants without a base, links and other files are not', async (t) => {
  const { call, folder } = await host(t)
  for (const file of [
    'Roboto Slab.ttf',
    'Roboto Slab__italic.ttf',
    'Lone__bold.ttf',
    'x.woff',
    '.hidden.ttf',
  ])
    writeFileSync(`${folder}/${file}`, '')
  mkdirSync(`${folder}/folder.ttf`)
  t.match((await call('GET', '/fonts')).body, {
    data: [
      {
        name: 'Roboto Slab',
        url: `${url}/Roboto%20Slab.ttf`,
        variants: { italic: `${url}/Roboto%20Slab__italic.ttf` },
      },
    ],
    meta: { total: 1 },
  })
})

t.test('a family goes by its name, however long that is encoded and whatever others called it', async (t) => {
  const { put, call, folder, files } = await host(t)
  await put('A.ttf', 'é'.repeat(100))
  for (const file of ['Foreign [1].ttf', 'a#b.ttf', '(p).ttf', 'A__x.ttf', '😀.ttf', 'not\\listed.ttf'])
    writeFileSync(`${folder}/${file}`, '')
  const { body } = await call('GET', '/fonts')
  t.equal(body.meta.total, 6)
  for (const { name } of body.data)
    t.match(await call('DELETE', `/fonts/${encodeURIComponent(name)}`), {
      status: 200,
      body: { data: { name } },
    })
  t.same(files(), ['not\\listed.ttf'])
})

t.test(
  'deleting a family with a name of more than 100 characters is reported as by its sender',
  async (t) => {
    const changes: Change[] = []
    const { call, folder } = await host(t, { onChange: (change) => changes.push(change) })
    const id = 'A'.repeat(101)
    writeFileSync(`${folder}/${id}.ttf`, '')
    const { status, headers } = await call('DELETE', `/fonts/${id}`)
    t.equal(status, 200)
    const sender = { principal: { kind: 'token' }, request_id: headers['x-request-id'] }
    t.match(changes, [{ operation: 'delete_font', resource: 'font', action: 'deleted', id, ...sender }])
  },
)

t.test('whoever reads a font during replacements gets the whole old or the whole new file', async (t) => {
  const { put, folder } = await host(t)
  const contents = [0, 1].map((fill) => Buffer.concat([font(), Buffer.alloc(4 * 1024, fill)]))
  const accepted = []
  for (const content of contents)
    if ((await put('Foo.ttf', undefined, content)).status === 201)
      accepted.push(readFileSync(`${folder}/Foo.ttf`))
  t.equal(accepted.length, 2)
  let isDone = false
  const replacing = (async () => {
    for (let i = 0; i < 20; i++) await put('Foo.ttf', undefined, contents[i % 2])
    isDone = true
  })()
  let reads = 0
  let torn = 0
  while (!isDone || reads < 200) {
    const seen = readFileSync(`${folder}/Foo.ttf`)
    if (!accepted.some((whole) => whole.equals(seen))) torn++
    reads++
    await new Promise((resolve) => setImmediate(resolve))
  }
  await replacing
  t.equal(torn, 0)
})

t.test('uploads of many families at once are all offered, in several processes, too', (t) =>
  onEachEngine(t, async (t, engine) => {
    const first = await host(t, { engine })
    const second = await host(t, { engine, address: first.address })
    await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? first : second).put(`Font${i}.ttf`)))
    const list = readPhp((await first.offered()) ?? '')
    t.equal((list as { entries: unknown[] }).entries.length, 12)
  }),
)

t.test(
  'of uploads and deletions of one family at once, in several processes, none fails and one family is left',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const dir = `${t.testdir({ uploads: {} })}/uploads`
      const uploads = { dir, url: 'https://shop.example/uploads' }
      const first = await build(t, { engine, uploads })
      // Processes that share an embedded database do not wait for each other.
      const second = engine === 'SQLite' ? first : await build(t, { engine, uploads, address: first.address })
      const responses = await Promise.all(
        Array.from({ length: 24 }, (_, i) => {
          const app = i % 2 ? first : second
          if (i % 6 === 5) return app.call('DELETE', '/fonts/foo')
          return upload(app, '/fonts', ['Foo.ttf', 'FOO.ttf', 'foo__bold.ttf'][i % 3] ?? '', font())
        }),
      )
      for (const { status, text } of responses) t.ok([200, 201, 404, 422].includes(status), text)
      t.equal((await upload(first, '/fonts', 'foo.ttf', font())).status, 201)
      t.same(readdirSync(`${dir}/svc/fonts`), ['foo.ttf'])
      const options = await first.call('GET', '/settings/values?keys[]=svc_fonts_directory')
      t.same(options.body.data, { svc_fonts_directory: ['foo.ttf'] })
    }),
)

t.test('the same upload sent again with its key gets the same answer', async (t) => {
  const app = await host(t)
  const send = () => upload(app, '/fonts', 'Foo.ttf', font(), { headers: { 'idempotency-key': 'f1' } })
  const first = await send()
  const second = await send()
  t.equal(second.headers['idempotency-replayed'], 'true')
  t.strictSame(second.body, first.body)
})
