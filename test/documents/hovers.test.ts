// What an editor shows of this package: the documentation of options, exports and designs, and the errors of wrong programs.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import * as api from '../../plugins/index.ts'
import { languageService } from '../support/peers/language-service.ts'

const root = resolve(import.meta.dirname, '../..')
const { open } = await languageService(t)

/** The documentation in what an editor shows, without the declaration. */
const textOf = (shown: string) => shown.replace(/^```[\s\S]*?^```$/m, '').trim()

const host = `import Fastify from 'fastify'
import svcApi, { check, eraseCustomer, migrate, svcDesk, svcReference, svcSettingsScreen } from 'svc-api'
const app = Fastify()
app.register(svcApi, {
  database: 'sqlite:shop.sqlite',
  tablePrefix: 'shop_',
  siteUrl: 'https://shop.example',
  uploads: { dir: 'uploads', url: 'https://shop.example/uploads' },
  storage: { use: 's3', s3: { bucket: 'files', presignSeconds: 60, acl: 'private' } },
  renderer: { strictFonts: true, sheet: { gap: 6 } },
  printReady: { allow: ['router.internal:9000'] },
  audit: { keepDays: 365 },
  webhooks: [{ url: 'https://erp.example', secret: 'whsec_', events: ['product.*'] }],
  onOrderCreated: ({ id }) => console.log(id),
  authenticate: () => undefined,
  readinessPath: '/ready',
  deskUrl: 'https://shop.example/desk',
  fileName: '{number}-{item}',
  printableStatuses: ['processing'],
  autoPrint: { statuses: ['processing'], pages: 'sheet' },
  deliver: { folder: '/mnt/press', path: '{date}' },
  mcp: { mode: 'read' },
})
app.register(svcDesk, { prefix: '/desk', authorize: () => true, settingsUrl: '/settings', homeUrl: '/' })
app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true, secret: 'x'.repeat(32) })
app.register(svcReference, { prefix: '/reference', title: 'Shop' })
await migrate({ database: 'sqlite:shop.sqlite', dryRun: true })
await eraseCustomer({ database: 'sqlite:shop.sqlite', mail: 'ada@shop.example', onProgress: console.log })
await check({ database: 'sqlite:shop.sqlite' })
`

/** Options by name, with a part of their documentation. */
const options: [name: string, text: string, after?: string][] = [
  ['database', 'a pool of `mysql2`'],
  ['tablePrefix', 'Default `wp_`'],
  ['siteUrl', 'Public URL of the site'],
  ['uploads', "The CMS's uploads folder"],
  ['dir', 'Path of the folder'],
  ['storage', 'Where uploads and print files are stored'],
  ['presignSeconds', 'Seconds for which URLs are signed'],
  ['renderer', 'Draws print files'],
  ['strictFonts', 'Refuses fonts'],
  ['gap', 'Millimetres between the bleeds'],
  ['allow', 'from which downloads are allowed'],
  ['keepDays', 'Days after which an entry is removed'],
  ['events', 'Types of the events to send'],
  ['onOrderCreated', 'Called after commit when this API has created an order'],
  ['authenticate', 'Your own authentication'],
  ['readinessPath', 'Path of a readiness route'],
  ['mode', 'Tools that are offered'],
  ['acl', 'Canned ACL'],
  ['deskUrl', 'desk'],
  ['fileName', 'Names of print files'],
  ['printableStatuses', 'States of shop orders'],
  ['autoPrint', 'Makes the print files'],
  ['pages', 'sheets with all pieces of an order'],
  ['deliver', 'Copies finished'],
  ['folder', 'hot folder'],
  ['path', 'Folders below'],
  ['homeUrl', 'start page of the app'],
  ['settingsUrl', 'URL or path of the settings screen'],
  ['secret', 'signs forms', 'svcSettingsScreen, {'],
  ['title', 'Title of the page'],
  ['dryRun', 'Only returns the statements'],
  ['onProgress', 'Called now and then'],
]

t.test(
  'options: an editor shows the documentation of each, and names of types in place of their members',
  async (t) => {
    const program = open(host)
    t.strictSame(await program.errors(), [])
    for (const [name, text, after = 'const app'] of options)
      t.match(textOf(await program.hover(name, after)), text, name)
    t.match(await program.hover('renderer', 'const app'), /renderer\?: boolean \| RendererOptions/)
    t.match(await program.hover('svcApi', 'register('), /FastifyPluginAsync<SvcApiOptions>/)
  },
)

t.test('exports: an editor shows the documentation of every value and type', async (t) => {
  const source = readFileSync(resolve(root, 'plugins/index.ts'), 'utf8')
  const types = [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, isType, list = '']) =>
    list.split(',').flatMap((item) => {
      const [, mark, name, alias] = /^\s*(type )?(\w+)(?: as (\w+))?\s*$/.exec(item) ?? []
      return name !== undefined && (isType || mark) ? [alias ?? name] : []
    }),
  )
  t.ok(types.length > 40)
  const names = [...new Set([...types, ...Object.keys(api).filter((name) => name !== 'default')])]
  const program = open(`import {\n${names.map((name) => `  type ${name},\n`).join('')}} from 'svc-api'\n`)
  const silent: string[] = []
  for (const name of names) if (textOf(await program.hover(name)) === '') silent.push(name)
  t.strictSame(silent, [])
})

t.test('wrong programs: the errors name the option and the type', async (t) => {
  const wrong = (options: string) =>
    open(
      `import Fastify from 'fastify'\nimport svcApi from 'svc-api'\nFastify().register(svcApi, ${options})\n`,
    ).errors()
  const [unknown = ''] = await wrong(`{ databse: 'sqlite:shop.sqlite' }`)
  t.match(unknown, /'databse' does not exist in type 'FastifyRegisterOptions<SvcApiOptions>'/)
  const [inner = ''] = await wrong(`{ database: 'sqlite:shop.sqlite', renderer: { strictFont: true } }`)
  t.match(inner, /'strictFont' does not exist in type 'RendererOptions'/)
  const [kind = ''] = await wrong(`{ database: 'sqlite:shop.sqlite', storage: { s3: { bucket: 5 } } }`)
  t.match(kind, /'number' is not assignable to type 'string'/)
  for (const message of [unknown, inner, kind]) t.ok(message.length < 400, `${message.length} characters`)
})

t.test(
  'designs: an editor shows the properties of views and elements, and their wrong values are errors',
  async (t) => {
    const design = (fill: string) => `import { svcClient } from 'svc-api/client'
import type { ViewElement } from 'svc-api'
const shop = svcClient({ url: 'https://shop.example/wp-json', token: '' })
const name: ViewElement = { type: 'text', title: 'Name', source: 'Ada', parameters: { fontSize: 30, own: 1 } }
await shop.addProductView({
  id: 1,
  body: {
    title: 'Front',
    elements: [name, { type: 'text', title: 'Town', source: 'Bonn', parameters: { letterSpacing: 2, fill: ${fill} } }],
    options: { stageWidth: 400, output: { width: 75, height: 50, bleed: 3 } },
  },
})
`
    const program = open(design("'#223344'"))
    t.strictSame(await program.errors(), [])
    t.match(textOf(await program.hover('fontSize')), 'Pixels of the stage. Default: 18.')
    t.match(textOf(await program.hover('letterSpacing')), 'In tenths of an em')
    t.match(textOf(await program.hover('stageWidth')), 'Pixels of the stage')
    t.match(textOf(await program.hover('bleed')), 'printed around the page and cut off')
    const [wrong] = await open(design('5')).errors()
    t.match(wrong, "'number' is not assignable to type 'string | false | string[]")
  },
)

t.test('exports: an editor shows what each property of the request does', async (t) => {
  const program = open(`import { svcClient } from 'svc-api/client'
const shop = svcClient({ url: 'https://shop.example/wp-json', token: '' })
await shop.exportOrder({ id: 1, body: { type: 'wc', mirror: true, outlines: true, ticket: true } })
`)
  t.strictSame(await program.errors(), [])
  for (const name of ['mirror', 'outlines', 'ticket']) t.not(textOf(await program.hover(name)), '', name)
})
