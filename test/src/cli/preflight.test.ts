// `svc-api preflight` and `svc-api fonts`: the same findings without a server, and which fonts are missing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { build } from '../../support/hosts/build.ts'
import { checked } from '../../support/hosts/checked.ts'
import { commandIn } from '../../support/hosts/command.ts'
import { fillUploads, textElement, viewWith } from '../../support/render/render-shop.ts'

/** A shop with a product for each font. */
async function shop(t: Test, ...families: string[]) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-preflight-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await fillUploads(dir)
  const host = await build(t)
  for (const fontFamily of families) {
    const { id } = (await host.call('POST', '/products', { title: fontFamily })).body.data
    const { elements, options } = viewWith(textElement('Ada', { fontFamily }))
    await host.call('POST', `/products/${id}/views`, { title: 'Front', elements, options })
  }
  return { DATABASE_URL: host.address, UPLOADS_DIR: dir }
}

t.test('each product is checked, and one that cannot be printed gives exit code 1', async (t) => {
  const variables = await shop(t, 'Liberation Sans', 'Gone')
  const { code, stdout } = await commandIn(t)(['preflight', '--products'], variables)
  t.equal(code, 1)
  t.match(stdout, /^Product \d+: nothing found\.$/m)
  t.match(stdout, /^Product \d+: is refused\.\n {2}refusal +font .*"Gone" is not uploaded/m)
  const json = await commandIn(t)(['preflight', '--products', '--json'], variables)
  t.match(JSON.parse(json.stdout), [{ printable: true }, { printable: false, fonts: [{ missing: true }] }])
})

t.test('with the profile of a press, too much ink is told', async (t) => {
  const variables = await shop(t, 'Liberation Sans')
  const profile = '/usr/share/color/icc/ghostscript/default_cmyk.icc'
  await ensureCommands({ gs: 'ghostscript' })
  const inked = async (...args: string[]) => {
    const { stdout } = await commandIn(t)(['preflight', '--products', '--json', ...args], variables)
    return JSON.parse(stdout)[0].findings.map(({ code }: { code: string }) => code)
  }
  t.strictSame(await inked(), [])
  t.strictSame(await inked('--profile', profile, '--max-ink', '90'), ['ink'])
  t.strictSame(await inked('--profile', profile), [])
  t.match(await commandIn(t)(['preflight', '--products', '--profile', '/gone.icc'], variables), {
    code: 1,
    stderr: /must be the path of an ICC profile/,
  })
})

t.test('an order that is not there is one sentence, and arguments are checked', async (t) => {
  const variables = await shop(t)
  t.match(await commandIn(t)(['preflight', '7', '--type', 'shortcode'], variables), {
    code: 1,
    stderr: /order 7\b/,
  })
  for (const args of [
    [],
    ['7', '--products'],
    ['x'],
    ['7', '8'],
    ['7', '--item', '-1'],
    ['7', '--max-ink', '9'],
    ['7', '--profile', 'x', '--max-ink', 'all'],
  ])
    t.equal((await commandIn(t)(['preflight', ...args], variables)).code, 2, args.join(' '))
})

t.test('check and fonts list name the fonts that products use and that are not there', async (t) => {
  const variables = await shop(t, 'Liberation Sans', 'Arial', 'Gone', 'gone away, Nowhere')
  const { on, code } = await checked(t, variables)
  t.equal(code, 0)
  t.match(on('fonts'), { level: 'warning', message: /"Gone", "gone away, Nowhere".*Arial \(Arimo\)/ })
  const { stdout } = await commandIn(t)(['fonts', 'list', '--json'], variables)
  t.match(JSON.parse(stdout), [
    { family: 'Arial', substitute: 'Arimo', missing: false },
    { family: 'Gone', substitute: null, missing: true, products: [Number] },
    { family: 'Liberation Sans', substitute: null, missing: false },
    { family: 'gone away, Nowhere', missing: true },
  ])
})

t.test('fonts add says which files to upload and fetches nothing', async (t) => {
  const variables = await shop(t)
  const { code, stdout } = await commandIn(t)(['fonts', 'add', 'Open Sans'], variables)
  t.equal(code, 0)
  for (const file of ['Open_Sans.ttf', 'Open_Sans__bold.ttf', 'Open_Sans__bolditalic.ttf'])
    t.match(stdout, file)
  const own = await commandIn(t)(['fonts', 'add', 'liberation sans', '--json'], variables)
  t.match(JSON.parse(own.stdout), {
    family: 'Liberation Sans',
    files: [{ isThere: true }, { isThere: true }, { isThere: false }, { isThere: false }],
  })
})
