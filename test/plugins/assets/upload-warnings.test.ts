// meta.warnings of uploads: what the renderer refuses or prints otherwise, in the sentences of a preflight.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t, { type Test } from 'tap'
import { uploadWarnings } from '../../../src/renderer/upload-warnings.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { type BuildOptions, build } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { colored } from '../../support/render/changed-fonts.ts'

const uploadsUrl = 'https://shop.example/wp-content/uploads'
const fonts = resolve(import.meta.dirname, '../../../node_modules/pdfjs-dist/standard_fonts')
const regular = readFileSync(`${fonts}/LiberationSans-Regular.ttf`)
const drawing = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60">${inner}</svg>`

async function host(t: Test, options: BuildOptions = {}) {
  const dir = t.testdir({ svc: { fonts: {}, uploads: {} } })
  return build(t, { uploads: { dir, url: uploadsUrl }, renderer: true, ...options })
}

t.test('POST /assets: meta.warnings has the sentences that a preflight has about the drawing', async (t) => {
  const app = await host(t)
  const masked = `<mask id="m"><rect width="60" height="60" fill="#fff"/></mask><rect width="120" height="60" mask="url(#m)"/>`
  const text = '<text x="5" y="30" font-family="Nowhere Sans" font-size="20">Hi</text>'
  const uploaded = await upload(app, '/assets', 'a.svg', drawing(masked + text))
  t.match(uploaded, { status: 201, body: { data: { mime_type: 'image/svg+xml' } } })
  const { warnings } = uploaded.body.meta
  t.match(warnings.join('\n'), /has masks, which are printed although/)
  t.match(warnings.join('\n'), /The font "Nowhere Sans" is not uploaded; "Tinos" is printed in its place\./)
  const { id: product } = (await app.call('POST', '/products', { title: 'Mug' })).body.data
  const element = {
    type: 'image',
    title: 'Logo',
    source: uploaded.body.data.url,
    parameters: { left: 200, top: 150 },
  }
  const options = {
    stageWidth: 400,
    stageHeight: 300,
    printingBox: { left: 0, top: 0, width: 400, height: 300 },
    output: { width: 100, height: 75 },
  }
  const view = { title: 'Front', elements: [element], options }
  t.equal((await app.call('POST', `/products/${product}/views`, view)).status, 201)
  const { findings } = (await app.call('GET', `/products/${product}/preflight`)).body.data
  const messages = findings.map(({ message }: { message: string }) => message)
  t.same(
    warnings.filter((warning: string) => !messages.includes(warning)),
    [],
  )
})

t.test('POST /assets: no meta for a plain drawing, for a photo, and without the renderer', async (t) => {
  const plain = drawing('<path d="M0 0h120v60z"/><path d="M0 0h60v60z" fill="#f00"/>')
  const app = await host(t)
  t.equal((await upload(app, '/assets', 'a.svg', plain)).body.meta, undefined)
  t.equal((await upload(app, '/assets', 'a.png', png({ width: 40, height: 30 }))).body.meta, undefined)
  const off = await host(t, { renderer: false })
  t.equal((await upload(off, '/assets', 'a.svg', drawing('<text>Hi</text>'))).body.meta, undefined)
})

t.test('POST /assets: 422 for a picture with more pixels than the renderer prints', async (t) => {
  const app = await host(t, { renderer: { pictureMegapixels: 1 } })
  const photo = png({ width: 1200, height: 1000 })
  t.match(await upload(app, '/assets', 'a.png', photo), {
    status: 422,
    body: {
      code: 'svc_upload_rejected',
      message: 'The picture has 1200 × 1000 pixels (1.2 megapixels); at most 1 megapixels are printed.',
    },
  })
})

t.test('POST /fonts: meta.warnings names variants that are made, and then none', async (t) => {
  const app = await host(t)
  const { body } = await upload(app, '/fonts', 'Liberation.ttf', regular)
  t.same(body.meta.warnings, [
    'The font "Liberation" has no variant bold, which is made from another as browsers do.',
    'The font "Liberation" has no variant italic, which is made from another as browsers do.',
  ])
  for (const [variant, file] of [
    ['bold', 'Bold'],
    ['italic', 'Italic'],
  ])
    await upload(
      app,
      '/fonts',
      `Liberation__${variant}.ttf`,
      readFileSync(`${fonts}/LiberationSans-${file}.ttf`),
    )
  t.equal((await upload(app, '/fonts', 'Liberation__bolditalic.ttf', regular)).body.meta, undefined)
})

t.test(
  'POST /fonts: meta.warnings says that a color font is refused, and with strictFonts a style',
  async (t) => {
    const app = await host(t)
    const { body } = await upload(app, '/fonts', 'Bright.ttf', colored(regular))
    t.ok(
      body.meta.warnings.includes('A font with colored glyphs cannot be drawn.'),
      body.meta.warnings.join(' '),
    )
    const strict = await host(t, { renderer: { strictFonts: true } })
    t.same((await upload(strict, '/fonts', 'Plain.ttf', regular)).body.meta.warnings, [
      'The font "Plain" has no variant bold.',
      'The font "Plain" has no variant italic.',
    ])
  },
)

t.test('uploadWarnings: a busy renderer gives none, and one that fails its message', async (t) => {
  const { SvcError } = await import('../../../src/core/errors.ts')
  const failing = (error: Error) => ({ isForPress: false, preflight: () => Promise.reject(error) })
  const upload = { family: 'Any' }
  const settings = async () => ({ minDpi: undefined, client: 'upload' })
  t.same(await uploadWarnings(failing(new SvcError('svc_renderer_busy')), upload, settings), [])
  t.same(await uploadWarnings(failing(new Error('x')), upload, settings), [])
  const failed = new SvcError('svc_render_failed', {
    message: 'The design took longer than 30 seconds to draw.',
  })
  t.same(await uploadWarnings(failing(failed), upload, settings), [failed.message])
})
