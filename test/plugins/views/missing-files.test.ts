// meta.warnings of writes: fonts and pictures that a written design names and that are not there.
import { mkdirSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { missingFiles } from '../../../src/renderer/missing-files.ts'
import type { LocalStorage } from '../../../src/storage/local.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { type BuildOptions, build } from '../../support/hosts/build.ts'

const url = 'https://shop.example/wp-content/uploads'

async function hostWithFiles(t: Test, options: BuildOptions = {}) {
  const dir = t.testdir({ svc: { fonts: {}, uploads: {} } })
  writeFileSync(`${dir}/svc/fonts/Known.ttf`, 'x')
  mkdirSync(`${dir}/2026`)
  writeFileSync(`${dir}/2026/known.png`, png({ width: 4, height: 4 }))
  const { call } = await build(t, { uploads: { dir, url }, renderer: true, ...options })
  const product = (await call('POST', '/products', { title: 'Mug' })).body.data.id as number
  return { call, product }
}

const text = (fontFamily: string) => ({
  type: 'text',
  source: 'Hi',
  title: fontFamily,
  parameters: { fontFamily },
})
const picture = (source: string) => ({
  type: 'image',
  source,
  title: 'Logo',
  parameters: { width: 9, height: 9 },
})

const elements = [
  text('Known'),
  text('Nowhere Sans'),
  picture(`${url}/2026/known.png`),
  picture(`${url}/2026/gone.png`),
  picture('https://elsewhere.example/a.png'),
  picture('data:image/png;base64,AAAA'),
]
const font = 'The font "Nowhere Sans" is not uploaded.'
const missingPicture = `The picture "${url}/2026/gone.png" is not in the uploads folder.`

t.test(
  'POST /products/{id}/views, PATCH /views/{id}: meta.warnings names missing fonts and pictures',
  async (t) => {
    const { call, product } = await hostWithFiles(t)
    const made = await call('POST', `/products/${product}/views`, { title: 'Front', elements })
    t.equal(made.status, 201)
    t.strictSame(made.body.meta.warnings, [font, missingPicture])
    const { id } = made.body.data
    const patched = await call('PATCH', `/views/${id}`, { elements: elements.slice(1) })
    t.strictSame(patched.body.meta.warnings, [font, missingPicture])
    t.equal((await call('PATCH', `/views/${id}`, { title: 'Back' })).body.meta, undefined)
    t.equal(
      (await call('PATCH', `/views/${id}`, { elements: [elements[0], elements[2]] })).body.meta,
      undefined,
    )
  },
)

t.test('POST /shortcode-orders, PATCH /orders/{id}: the same of orders', async (t) => {
  const { call } = await hostWithFiles(t)
  const views = [{ title: 'F', elements }]
  const made = await call('POST', '/shortcode-orders', { views })
  t.strictSame(made.body.meta.warnings, [font, missingPicture])
  const { id } = made.body.data
  const order = { product: [{ title: 'F', elements: elements.slice(0, 2) }] }
  const patched = await call('PATCH', `/orders/${id}`, { type: 'shortcode', order })
  t.strictSame(patched.body.meta.warnings, [font])
})

t.test('POST and PATCH /design-categories: the same of pictures and blocks of the library', async (t) => {
  const { call } = await hostWithFiles(t)
  const designs = [
    { title: 'A', image: `${url}/2026/known.png` },
    { title: 'B', image: `${url}/2026/gone.png` },
    { title: 'C', elements: [text('Nowhere Sans'), text('Known')] },
  ]
  const made = await call('POST', '/design-categories', { title: 'Cakes', designs })
  t.strictSame(made.body.meta.warnings, [font, missingPicture])
  const path = `/design-categories/${made.body.data.id}`
  t.equal((await call('PATCH', path, { title: 'Pies' })).body.meta, undefined)
  t.equal((await call('PATCH', path, { designs: designs.slice(0, 1) })).body.meta, undefined)
})

t.test('POST /products/{id}/views: without a renderer fonts are those of another service', async (t) => {
  const { call, product } = await hostWithFiles(t, { renderer: false })
  const made = await call('POST', `/products/${product}/views`, { title: 'Front', elements })
  t.strictSame(made.body.meta.warnings, [missingPicture])
})

t.test('missingFiles: no sentence from a disk that fails or hangs', async (t) => {
  const settings = { uploadsUrl: url, siteUrl: 'https://shop.example', fonts: undefined }
  const needs = { fonts: [], pictures: [`${url}/2026/gone.png`] }
  const fails = { stat: async () => Promise.reject(new Error('EIO')) } as unknown as LocalStorage
  t.strictSame(await missingFiles({ ...settings, storage: fails })(needs), [])
  const hangs = { stat: () => new Promise(() => {}) } as unknown as LocalStorage
  const started = performance.now()
  t.strictSame(await missingFiles({ ...settings, storage: hangs })(needs), [])
  t.ok(performance.now() - started < 5000)
})
