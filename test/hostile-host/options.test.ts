// Invalid options abort startup with one sentence that names them, before anything is opened.
import { mkdirSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { SvcApiOptions } from '../../plugins/index.ts'
import { cmsUrl, ensureToken, migrate, svcApi, svcContext } from '../../plugins/index.ts'
import { apiOptions } from '../../plugins/options.ts'
import { freshAddress, token } from '../support/hosts/build.ts'
import { Fastify } from '../support/hosts/fastify.ts'
import { onServers } from '../support/hosts/fresh-host.ts'

const site = 'https://shop.example'

/** The message of a failed startup; undefined on success. */
async function startWith(t: Test, options: unknown, plugin: unknown = svcApi): Promise<string | undefined> {
  const app = Fastify()
  t.teardown(() => app.close())
  try {
    await app.register(plugin as typeof svcApi, options as SvcApiOptions)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const setting = { id: 'svc_x', type: 'text', label: 'X', description: 'X.', default: '', tab: 'a' }
const section = { section: 'b', sectionLabel: 'B' }

/** Invalid options with a valid database, and how the message about them starts. */
const hook = { url: 'https://erp.example/', secret: `whsec_${Buffer.alloc(24).toString('base64')}` }

const wrong: [options: Record<string, unknown>, sentence: string][] = [
  [
    { printReady: { secert: 'x' } },
    'printReady.secert is not an option (did you mean printReady.secret?); known are allow, ',
  ],
  [
    { readynessPath: '/ready' },
    'readynessPath is not an option (did you mean readinessPath?); known are database, ',
  ],
  [{ tableprefix: 'x_' }, 'tableprefix is not an option (did you mean tablePrefix?)'],
  [{ cors: true }, 'cors is not an option; known are '],
  [{ constructor: 1 }, 'constructor is not an option; '],
  [JSON.parse('{"__proto__": {}}'), '__proto__ is not an option; '],
  [{ database: undefined }, 'database: must be a Kysely instance, '],
  [{ database: 5 }, 'database: must be a Kysely instance, '],
  [{ tablePrefix: 5 }, 'tablePrefix: must be '],
  [{ tablePrefix: 'a b' }, 'tablePrefix: must be '],
  [{ tables: { product: 'x' } }, 'tables.product is not an option (did you mean tables.products?)'],
  [{ tables: { products: 'a`b' } }, 'tables.products: must be '],
  [{ tables: 'x' }, 'tables: must be '],
  ...(['bucket', 'accessKeyId', 'secretAccessKey'] as const).map(
    (name): [Record<string, unknown>, string] => [
      { storage: { s3: { [name]: '' } } },
      `storage.s3.${name}: must be a string that is not empty`,
    ],
  ),
  [
    { tables: { products: 'shop', views: 'shop' } },
    'tablePrefix or tables: "shop" is the table of both products and views.',
  ],
  [
    { tables: { views: 'wp_svc_products' } },
    'tablePrefix or tables: "wp_svc_products" is the table of both products and views.',
  ],
  [{ siteUrl: 'shop' }, 'siteUrl: must be '],
  [{ siteUrl: '/shop' }, 'siteUrl: must be '],
  [{ siteUrl: 'https://user:pass@shop.example' }, 'siteUrl: must be '],
  [{ siteUrl: 'https://shop.example?x' }, 'siteUrl: must be '],
  [{ siteUrl: new URL(site) }, 'siteUrl: must be '],
  [{ baseUrl: 'wp-json' }, 'baseUrl: must be a path that starts with "/"'],
  [{ baseUrl: null }, 'baseUrl: must be '],
  [{ uploads: '/var/uploads' }, 'uploads: must be an object with dir and url'],
  [{ uploads: { dir: '/tmp' } }, 'uploads.url: must be '],
  [{ uploads: { url: site } }, 'uploads.dir: must be '],
  [{ uploads: { dir: '', url: site } }, 'uploads.dir: must be '],
  [{ uploads: { dir: '/tmp', url: '/uploads' } }, 'uploads.url: must be an absolute '],
  [{ uploads: { dir: '/tmp', url: site, path: '/x' } }, 'uploads.path is not an option; '],
  [{ uploadSeconds: 0 }, 'uploadSeconds: must be '],
  [{ uploadSeconds: '60' }, 'uploadSeconds: must be '],
  [{ uploadSeconds: Number.NaN }, 'uploadSeconds: must be '],
  [{ uploadSeconds: 1e12 }, 'uploadSeconds: must be '],
  [{ bodyLimits: { json: '1mb' } }, 'bodyLimits.json: must be '],
  [{ bodyLimits: { blob: 0 } }, 'bodyLimits.blob: must be '],
  [{ bodyLimits: { blob: 32 * 1024 * 1024 + 1 } }, 'bodyLimits.blob: must be '],
  [{ bodyLimits: { blobs: 1 } }, 'bodyLimits.blobs is not an option (did you mean bodyLimits.blob?)'],
  [{ bodyLimits: 1000 }, 'bodyLimits: must be '],
  [{ migrate: 'yes' }, 'migrate: must be true, false or '],
  [{ migrate: { index: true } }, 'migrate.index is not an option (did you mean migrate.indexes?)'],
  [{ migrate: { indexes: 1 } }, 'migrate.indexes: must be true or false'],
  [{ settings: {} }, 'settings: must be an array'],
  [
    { settings: [{ ...setting, ...section, lable: 'x' }] },
    'settings[0].lable is not an option (did you mean settings[0].label?)',
  ],
  [{ settings: [{ ...setting }] }, 'settings[0].section: must be '],
  [{ settings: [{ ...setting, ...section, choices: [1] }] }, 'settings[0].choices[0]: must be a string'],
  [{ settings: [{ ...setting, ...section, type: 'txt' }] }, 'settings: "svc_x" has the type "txt"'],
  [{ onOptionsChanged: 'drop' }, 'onOptionsChanged: must be a function'],
  [{ onMetaChanged: {} }, 'onMetaChanged: must be a function'],
  [{ onOrderCreated: true }, 'onOrderCreated: must be a function'],
  [{ onPrintJobChanged: [] }, 'onPrintJobChanged: must be a function'],
  [{ onChange: 'log' }, 'onChange: must be a function'],
  [{ audit: 'yes' }, 'audit: must be true, false or an object such as { keepDays: 365 }'],
  [{ audit: { keepDays: 0 } }, 'audit.keepDays: must be a number of days, a whole number from 1 '],
  [{ audit: { days: 3 } }, 'audit.days is not an option'],
  [{ webhooks: { url: site } }, 'webhooks: must be an array of endpoints'],
  [{ webhooks: [{ url: site }] }, 'webhooks[0].secret: must be a secret such as "whsec_…"'],
  [{ webhooks: [{ ...hook, secret: [] }] }, 'webhooks[0].secret: must be a secret '],
  [{ webhooks: [{ ...hook, secret: 'whsec_short' }] }, 'webhooks[0].secret: must be "whsec_" and at least '],
  [{ webhooks: [hook, { ...hook, url: 'erp.example' }] }, 'webhooks[1].url: must be an https URL '],
  [{ webhooks: [{ ...hook, url: 'http://erp.example/' }] }, 'webhooks[0].url: must be an https URL, unless '],
  [{ webhooks: [{ ...hook, url: 'https://user:word@erp.example/' }] }, 'webhooks[0].url: must be an https '],
  [{ webhooks: [hook, hook] }, 'webhooks[1].url: must differ from those before'],
  [{ webhooks: [{ ...hook, events: ['prodcut.*'] }] }, 'webhooks[0].events[0]: must be a type such as '],
  [{ webhooks: [{ ...hook, events: ['product'] }] }, 'webhooks[0].events[0]: must be a type '],
  [{ webhooks: [{ ...hook, events: [] }] }, 'webhooks[0].events: must be an array of types'],
  [{ webhooks: [{ ...hook, seconds: 61 }] }, 'webhooks[0].seconds: must be a number of seconds '],
  [{ webhooks: [{ ...hook, allowInternal: 'yes' }] }, 'webhooks[0].allowInternal: must be true or false'],
  [{ printReady: { maxBytes: '1mb' } }, 'printReady.maxBytes: must be '],
  [{ printReady: { maxBytes: 0.5 } }, 'printReady.maxBytes: must be '],
  [{ printReady: { maxSeconds: -1 } }, 'printReady.maxSeconds: must be '],
  [{ printReady: { downloads: 0 } }, 'printReady.downloads: must be '],
  [{ printReady: { leaseSeconds: 0 } }, 'printReady.leaseSeconds: must be '],
  [{ printReady: { allow: 'a:1' } }, 'printReady.allow: must be an array'],
  [{ printReady: { allow: ['a'] } }, 'printReady.allow: "a" must be a pair '],
  [{ printReady: { allowedHosts: ['router.example:443'] } }, 'printReady.allowedHosts[0]: must be '],
  [{ printReady: { allowedHosts: [] } }, 'printReady.allowedHosts: must be '],
  [{ printReady: { ports: [0] } }, 'printReady.ports[0]: must be '],
  [{ printReady: { ports: 443 } }, 'printReady.ports: must be '],
  [{ printReady: { secret: 'short' } }, 'printReady.secret: must be '],
  [{ printReady: { lookup: 'dns' } }, 'printReady.lookup: must be a function'],
  [{ exportService: { seconds: 5 } }, 'exportService.url: must be '],
  [{ exportService: { url: 'router.example' } }, 'exportService.url: must be '],
  [{ exportService: { url: site, seconds: -4 } }, 'exportService.seconds: must be '],
  [{ exportService: { url: site, secs: 4 } }, 'exportService.secs is not an option; '],
  [{ export: { wait: 181 } }, 'export.wait: must be a number of seconds from 0 to 180'],
  [{ export: { wait: '30' } }, 'export.wait: must be '],
  [{ printProvider: {} }, 'printProvider.upsertDraft: must be '],
  [{ printProvider: 'printful' }, 'printProvider: must be an object with the method upsertDraft'],
  [{ printful: 'https://api.printful.com' }, 'printful: must be an object with the url of the API'],
  [{ printful: { url: 'api.printful.com' } }, 'printful.url: must be an http or https URL'],
  [{ printful: { url: 'https://user:word@api.printful.com' } }, 'printful.url: must be '],
  [{ printful: { url: 'https://api.printful.com/?confirm=1' } }, 'printful.url: must be '],
  [{ printful: { key: 'secret' } }, 'printful.key is not an option; '],
  [{ readinessPath: 'ready' }, 'readinessPath: must be a path that starts with "/"'],
  [{ readinessPath: '/:ready' }, 'readinessPath: must be '],
]

t.test('an invalid option aborts startup with a sentence that names it', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  for (const [options, sentence] of wrong) {
    const said = await startWith(t, { database, siteUrl: site, migrate: true, ...options })
    t.equal(said?.slice(0, sentence.length), sentence)
    t.match(said, /^[^\n]+\.$/)
    if (Object.keys(options).some((name) => /^read.nessPath$/.test(name))) continue
    const ofContext = await startWith(t, { database, siteUrl: site, migrate: true, ...options }, svcContext)
    t.equal(ofContext?.slice(0, 40), said?.slice(0, 40))
  }
})

t.test(
  'valid options of every kind are accepted, absent ones may be undefined, and providers may be classes',
  async (t) => {
    class Provider {
      readonly #key = 'x'
      async upsertDraft() {
        return { providerOrder: this.#key }
      }
    }
    const absent = Object.fromEntries(Object.keys(apiOptions.properties).map((name) => [name, undefined]))
    const needed = { database: await freshAddress(t, 'SQLite'), siteUrl: site, migrate: true }
    const sound: Record<string, unknown>[] = [
      { ...absent, ...needed },
      { ...needed, prefix: '/shop', logLevel: 'warn' },
      {
        ...needed,
        baseUrl: '',
        siteUrl: `${site}:8443/blog/`,
        migrate: { indexes: true },
        readinessPath: '/ready',
      },
      {
        ...needed,
        printProvider: new Provider(),
        exportService: { url: `${site}/export?key=1`, seconds: 0.5 },
      },
      { ...needed, uploads: { dir: `${t.testdir({})}/new`, url: `${site}/uploads/` }, uploadSeconds: 0.5 },
      { ...needed, settings: [{ ...setting, ...section }], bodyLimits: { blob: 1 } },
      {
        ...needed,
        printReady: { allow: ['[::1]:9000'], allowedHosts: ['*.router.example', '::1'], ports: [8443] },
      },
      Object.create({ ...needed }),
    ]
    for (const options of sound) t.equal(await startWith(t, options), undefined, Object.keys(options).join())
  },
)

t.test('a folder that is a file aborts startup', async (t) => {
  const dir = t.testdir({})
  writeFileSync(`${dir}/file`, '')
  mkdirSync(`${dir}/folder`)
  const needed = { database: await freshAddress(t, 'SQLite'), siteUrl: site, migrate: true }
  for (const path of [`${dir}/file`, `${dir}/file/below`]) {
    const uploads = await startWith(t, { ...needed, uploads: { dir: path, url: site } })
    t.match(uploads, /^uploads\.dir: must be a folder .*ENOTDIR/)
    t.match(
      await startWith(t, { ...needed, printReady: { tempDir: path } }),
      /^printReady\.tempDir: must be a folder/,
    )
  }
  t.equal(await startWith(t, { ...needed, uploads: { dir: `${dir}/folder`, url: site } }), undefined)
})

t.test('migrate, ensureToken and cmsUrl are as strict', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  const said = (call: (options: never) => Promise<unknown>, options: unknown) =>
    call(options as never).then(
      () => undefined,
      (error: Error) => error.message,
    )
  for (const call of [migrate, ensureToken, cmsUrl]) {
    t.match(await said(call, { database, prefix: 'x' }), /^prefix is not an option.*; known are database, /)
    t.match(await said(call, { database, tablePrefix: null }), /^tablePrefix: must be /)
    t.match(await said(call, {}), /^database: must be /)
    t.match(await said(call, undefined), /^The options: must be an object/)
    t.match(await said(call, database), /^The options: must be an object/)
  }
  t.match(await said(migrate, { database, indexes: 'yes' }), /^indexes: must be true or false/)
  t.match(
    await said(migrate, { database, dryrun: true }),
    /^dryrun is not an option \(did you mean dryRun\?\)/,
  )
  await migrate({ database })
  for (const bad of [
    '',
    'secret',
    token.slice(1),
    `${token}0`,
    `${token}\n`,
    ` ${token}`,
    token.replace('0', 'g'),
    5,
  ]) {
    t.equal(await said(ensureToken, { database, token: bad }), 'token: must be 64 hexadecimal digits.')
  }
  t.equal(await ensureToken({ database, token: token.toUpperCase() }), token.toUpperCase())
})

const secret = 'h@nter'
const addresses: [address: string, sentence: RegExp][] = [
  [`mysql://wpuser:${secret}@127.0.0.1:1/name`, /percent-encoded/],
  ['mysql://wpuser:hu/nter@127.0.0.1:1/name', /percent-encoded/],
  ['mysql://wpuser:12/nter@127.0.0.1:1/name', /percent-encoded/],
  ['mysql://wpuser:hu?nter@127.0.0.1:1/name', /percent-encoded/],
  ['mysql://wpuser:hu#nter@127.0.0.1:1/name', /percent-encoded/],
  ['mysql://wpuser:hunter%@127.0.0.1:1/name', /percent-encoded/],
  ['mysql://wpuser:hu nter@127.0.0.1:1/name', /percent-encoded/],
  ['mysql://wpuser:hunter@127.0.0.1:1', /name of the database/],
  ['mysql://wpuser:hunter@127.0.0.1:1/', /name of the database/],
  ['mysql://wpuser:hunter@:1/name', /must be mysql/],
  ['mysql://127.0.0.1:99999/name', /must be mysql:\/\/user:password@host:port\/name/],
  ['mysql://wpuser:hunter@127.0.0.1:1/name', /cannot be reached/],
  ['mysql://wpuser:h%40nter%2F%25@127.0.0.1:1/name', /cannot be reached/],
  ['postgres://wpuser:hunter@127.0.0.1:1/name', /must be mysql:\/\/user:password@host:port\/name or sqlite:/],
]

t.test('an invalid URL is reported without its content', async (t) => {
  for (const [database, sentence] of addresses) {
    const said = String(await startWith(t, { database, siteUrl: site }))
    t.match(said, sentence, database)
    t.match(said, /^database: /)
    t.notMatch(said, /wpuser|nter|hu|12\//, database)
  }
})

onServers('a server that rejects a user is reported without the user', async (t, engine) => {
  const url = new URL(await freshAddress(t, engine))
  Object.assign(url, { username: 'stranger', password: 'hidden' })
  const error: Error = await migrate({ database: url.href }).then(
    () => t.fail(),
    (error) => error,
  )
  t.match(error.message, /^database: the server refuses the connection/)
  t.notMatch(`${error.message} ${error.stack} ${error.cause}`, /stranger|hidden/)
})
