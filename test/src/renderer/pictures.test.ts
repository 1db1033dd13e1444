// What is known of a picture before it is drawn, and which pictures are refused.
import sharp from 'sharp'
import t from 'tap'
import { readPicture } from '../../../src/renderer/picture.ts'
import { jpegQuality } from '../../../src/renderer/picture-files.ts'
import { encodedOf, neededWidth, pixelsOf } from '../../../src/renderer/picture-pixels.ts'
import { Undrawable } from '../../../src/renderer/refusal.ts'
import { printTask, renderHere } from '../../support/render/materials.ts'
import { pictureElement as picture, viewWith } from '../../support/render/render-shop.ts'

const wide = { create: { width: 30, height: 20, channels: 3 as const, background: '#28f' } }
const encoded = (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'tiff') =>
  sharp(wide)[format]().toBuffer()

t.test('readPicture: each format that a browser shows is read, and TIFF', async (t) => {
  for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const) {
    const found = await readPicture(await encoded(format))
    t.match(found, { format, width: 30, height: 20, orientation: 1, isCmyk: false }, format)
    t.equal(found.isPlainJpeg, format === 'jpeg', `${format}: embedded as it is`)
    t.equal(found.isPlainCmyk, false)
  }
})

t.test('a picture that its camera turned is upright', async (t) => {
  for (const [orientation, width, height] of [
    [1, 30, 20],
    [3, 30, 20],
    [4, 30, 20],
    [5, 20, 30],
    [8, 20, 30],
  ] as const) {
    const bytes = await sharp(wide).jpeg().withMetadata({ orientation }).toBuffer()
    t.match(await readPicture(bytes), { orientation, width, height })
  }
})

t.test('gray and CMYK are told apart, and CMYK without a profile gets that of the press', async (t) => {
  const gray = await readPicture(await sharp(wide).toColourspace('b-w').jpeg().toBuffer())
  t.match(gray, { channels: 1, isPlainJpeg: true, isPlainCmyk: false, isCmyk: false })
  const profile = Buffer.from('not looked at')
  const bare = await sharp(wide).toColourspace('cmyk').jpeg().toBuffer()
  const inks = await readPicture(bare)
  t.match(inks, { channels: 4, isPlainJpeg: false, isPlainCmyk: true, isCmyk: true })
  const rgb = await encoded('jpeg')
  t.equal((await readPicture(rgb, { cmykProfile: profile })).bytes, rgb)
})

t.test('what cannot be printed is refused with its reason', async (t) => {
  const refused = async (bytes: Uint8Array, code: string, message: RegExp) => {
    const error = await readPicture(bytes).catch((reason) => reason)
    t.ok(error instanceof Undrawable, message.source)
    t.match(error, { code, message })
  }
  await refused(Buffer.from('%PDF-1.7'), 'picture', /is a PDF, not a picture/)
  await refused(Buffer.from('\0\0\0\x18ftypheic'), 'picture', /is a HEIC photo/)
  await refused(Buffer.from('BM....'), 'picture', /is a BMP/)
  await refused(Buffer.alloc(0), 'picture', /is empty/)
  await refused(
    Buffer.from('\x89PNG\r\n\x1a\n..', 'latin1'),
    'picture',
    /header of the picture \(PNG\) is damaged/,
  )
  await refused(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
    'picture',
    /not a/,
  )
  const jpeg = await sharp({ ...wide, create: { ...wide.create, width: 300, height: 300 } })
    .jpeg()
    .toBuffer()
  await refused(jpeg.subarray(0, jpeg.length / 2), 'picture', /damaged/)
  const other = await sharp({ create: { ...wide.create, background: '#f00' } })
    .png()
    .toBuffer()
  const frames = await sharp([await encoded('png'), other], { join: { animated: true } })
    .gif()
    .toBuffer()
  await refused(frames, 'picture', /moving/)
})

const noisy = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#28f',
      noise: { type: 'gaussian', mean: 120, sigma: 60 },
    },
  })

t.test(
  'readPicture: a JPEG that lacks only its end marker is whole, one that lacks rows is damaged',
  async (t) => {
    const jpeg = await noisy(300, 200).jpeg().toBuffer()
    const cut = jpeg.subarray(0, -2)
    t.strictSame((await readPicture(cut)).bytes, jpeg)
    await t.rejects(readPicture(jpeg.subarray(0, -600)), /damaged/)
    const marked = Buffer.concat([jpeg.subarray(0, -600), jpeg.subarray(-2)])
    await t.rejects(readPicture(marked), {
      code: 'picture',
      message: /lacks rows of pixels .* Upload the original/,
    })
    const odd = Buffer.concat([jpeg.subarray(0, -2), Buffer.from([1, 2, 3]), jpeg.subarray(-2)])
    t.equal((await readPicture(odd)).bytes, odd, 'bytes before the end marker')
    const progressive = await noisy(300, 200).jpeg({ progressive: true }).toBuffer()
    await t.rejects(readPicture(progressive.subarray(0, -2)), /damaged/, 'a scan may be missing')
    const photo = Buffer.concat([jpeg, Buffer.alloc(40)])
    t.equal((await readPicture(photo)).bytes, photo, 'bytes of a camera after the end')
  },
)

t.test('readPicture: more pixels than the limit are refused with both numbers', async (t) => {
  const large = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  await t.rejects(readPicture(large, { maxPixels: 5e6 }), {
    code: 'limit',
    message: 'The picture has 3000 × 2000 pixels (6 megapixels); at most 5 megapixels are printed.',
  })
  t.match(await readPicture(large, { maxPixels: 6e6 }), { width: 3000 })
})

t.test(
  'pixelsOf and encodedOf: no more pixels than the page needs, after filters that need all of them',
  async (t) => {
    const source = await readPicture(await noisy(1200, 800).jpeg().toBuffer())
    const one = { id: 'a', source, change: undefined, stretch: 0.5 }
    t.equal(neededWidth(one, 1), 900)
    t.equal(neededWidth(one, 2), undefined)
    t.equal(neededWidth({ ...one, stretch: undefined }, 0.1), undefined)
    const { type, bytes } = await encodedOf(one, 300)
    t.equal(type, 'image/jpeg')
    t.match(await sharp(bytes).metadata(), { width: 300, height: 200 })
    t.equal((await encodedOf(one)).bytes, source.bytes)
    const widths: number[] = []
    const change = (_pixels: unknown, width: number) => void widths.push(width)
    t.match(await pixelsOf({ ...one, change }, 300), { width: 300, height: 200 })
    t.match(await pixelsOf({ ...one, change, isPointwise: true }, 300), { width: 300, height: 200 })
    t.strictSame(widths, [1200, 300])
  },
)

t.test('jpegQuality: the quality with which a JPEG was encoded', async (t) => {
  for (const quality of [40, 75, 92]) {
    const jpeg = await noisy(40, 40).jpeg({ quality }).toBuffer()
    t.ok(Math.abs(jpegQuality(jpeg) - quality) <= 1, `${jpegQuality(jpeg)}`)
  }
  t.equal(jpegQuality(Buffer.from('no JPEG')), 95)
})

t.test(
  'render: a large damaged picture is refused in print and in preview, where it is decoded once',
  async (t) => {
    const large = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#28f' } })
    const photo = await large.clone().jpeg().toBuffer()
    t.equal((await readPicture(photo, { isPreview: true })).isChecked, false)
    t.equal((await readPicture(photo)).isChecked, true)
    const png = await large.png().toBuffer()
    const files = { 'photo.jpg': photo, 'half.png': png.subarray(0, png.length / 2) }
    const preview = { kind: 'preview', view: 0, width: 300, maxPixels: 4e6 } as const
    const drawn = async (name: string, task: Parameters<typeof renderHere>[0], parameters: object) =>
      (await renderHere(task, [viewWith(picture(name, parameters))], [], files)).outcome
    for (const parameters of [
      { scaleX: 0.05, scaleY: 0.05 },
      {},
      { scaleX: 0.05, scaleY: 0.05, filter: 'sepia' },
    ]) {
      t.match(await drawn('photo.jpg', preview, parameters), { kind: 'done' })
      for (const task of [preview, printTask]) {
        const refusals = [{ code: 'picture', message: /^The picture is damaged/ }]
        t.match(await drawn('half.png', task, parameters), { kind: 'refused', refusals })
      }
    }
  },
)
