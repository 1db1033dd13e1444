// What is known of a picture before it is drawn, and which pictures are refused.
import sharp from 'sharp'
import t from 'tap'
import { readPicture } from '../../../src/renderer/picture.ts'
import { Undrawable } from '../../../src/renderer/refusal.ts'

const wide = { create: { width: 30, height: 20, channels: 3 as const, background: '#28f' } }
const encoded = (format: 'png' | 'jpeg' | 'webp' | 'gif') => sharp(wide)[format]().toBuffer()

t.test('each format that a browser shows is read', async (t) => {
  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
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
  t.equal((await readPicture(rgb, profile)).bytes, rgb)
})

t.test('what cannot be printed is refused with its reason', async (t) => {
  const refused = async (bytes: Uint8Array, code: string, message: RegExp) => {
    const error = await readPicture(bytes).catch((reason) => reason)
    t.ok(error instanceof Undrawable, message.source)
    t.match(error, { code, message })
  }
  await refused(Buffer.from('%PDF-1.7'), 'picture', /not a picture/)
  await refused(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
    'picture',
    /not a/,
  )
  await refused(await sharp(wide).tiff().toBuffer(), 'picture', /not a picture/)
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
