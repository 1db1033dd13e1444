// Pictures embedded in drawings: metadata is removed, every pixel stays.
import sharp from 'sharp'
import t from 'tap'
import type { TypeFor } from '../../../../src/files/file-types.ts'
import { jpegScans } from '../../../../src/files/picture/jpeg.ts'
import { embeddedPicture, embeddedPixels } from '../../../../src/files/svg/embedded-picture.ts'
import { sanitizeSvg } from '../../../../src/files/svg/sanitize.ts'
import { png, pngChunk } from '../../../support/fixtures/make-png.ts'

const canary = 'CANARY-<?php'
const pixels = await sharp({
  create: {
    width: 40,
    height: 30,
    channels: 3,
    background: '#678',
    noise: { type: 'gaussian', mean: 120, sigma: 40 },
  },
})
  .png()
  .toBuffer()
const raw = (picture: Buffer) => sharp(picture).autoOrient().ensureAlpha().raw().toBuffer()
const tagged = () =>
  sharp(pixels).withExif({ IFD0: { Artist: canary }, IFD3: { GPSAreaInformation: canary } })

/** Inserts a segment of this kind after the start marker of a JPEG file. */
const withSegment = (jpeg: Buffer, marker: number, text: string) =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, marker, 0, text.length + 2]),
    Buffer.from(text),
    jpeg.subarray(2),
  ])

/** Inserts a comment after the global colors of a GIF file. */
function withComment(gif: Buffer): Buffer {
  const at = 13 + 3 * 2 ** ((gif.readUInt8(10) & 7) + 1)
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, canary.length]), Buffer.from(`${canary}\0`)])
  return Buffer.concat([gif.subarray(0, at), comment, gif.subarray(at)])
}

const pictures: Record<string, [TypeFor<'embedded'>, Buffer]> = {
  'a PNG with a text, a chunk of its own and a place': [
    'png',
    Buffer.concat([
      (await tagged().png().toBuffer()).subarray(0, 33),
      pngChunk('tEXt', Buffer.from(`Comment\0${canary}`)),
      pngChunk('exTr', Buffer.from(canary)),
      (await tagged().png().toBuffer()).subarray(33),
    ]),
  ],
  'a JPEG with a comment, XMP and Exif': [
    'jpeg',
    withSegment(
      withSegment(await tagged().jpeg().toBuffer(), 0xfe, canary),
      0xe1,
      `http://ns.adobe.com/xap/${canary}`,
    ),
  ],
  'a progressive JPEG': ['jpeg', await tagged().jpeg({ progressive: true }).toBuffer()],
  'a JPEG in CMYK with a profile': [
    'jpeg',
    await tagged().toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
  ],
  'a GIF with a comment': ['gif', withComment(await sharp(pixels).gif().toBuffer())],
  'a WebP with Exif': ['webp', await tagged().webp().toBuffer()],
  'a lossless WebP with Exif': ['webp', await tagged().webp({ lossless: true }).toBuffer()],
}

for (const [name, [type, picture]] of Object.entries(pictures)) {
  t.test(`${name} keeps its pixels and nothing else`, async (t) => {
    const clean = embeddedPicture(type, Buffer.concat([picture, Buffer.from(`${canary}?>`)]))
    t.notOk(clean?.includes('CANARY'))
    t.ok(clean && (await raw(clean)).equals(await raw(picture)))
    t.ok(clean && embeddedPicture(type, clean)?.equals(clean), 'a second time changes nothing')
  })
}

t.test('embeddedPicture: every orientation of a JPEG is kept, without the other Exif data', async (t) => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const picture = await sharp(pixels).withMetadata({ orientation }).jpeg().toBuffer()
    const clean = embeddedPicture('jpeg', picture) ?? Buffer.alloc(0)
    t.equal((await sharp(clean).metadata()).orientation ?? 1, orientation)
    t.ok((await raw(clean)).equals(await raw(picture)))
  }
})

t.test('embeddedPicture: animated GIF and WebP keep their frames', async (t) => {
  const colors = ['#f00', '#0f0', '#00f']
  const stills = colors.map((background) =>
    sharp({ create: { width: 9, height: 9, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  const frames = await sharp(await Promise.all(stills), { join: { animated: true } })
    .gif({ loop: 2 })
    .toBuffer()
  const gif = embeddedPicture('gif', frames) ?? Buffer.alloc(0)
  t.match(await sharp(gif, { animated: true }).metadata(), { pages: 3, loop: 2 })
  const webp = embeddedPicture('webp', await sharp(frames, { animated: true }).webp().toBuffer())
  t.match(await sharp(webp, { animated: true }).metadata(), { pages: 3 })
})

t.test('a frame of a GIF counts by its own size and place, not by those of the screen', async (t) => {
  const small = await sharp(pixels).gif().toBuffer()
  const frame = small.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 40, 0, 30, 0]))
  const at = (left: number, width: number, height: number) => {
    const bytes = Buffer.from(small)
    for (const [index, value] of [left, 0, width, height].entries())
      bytes.writeUInt16LE(value, frame + 1 + 2 * index)
    return bytes
  }
  const pixelsOf = (bytes: Buffer) => embeddedPixels(`data:image/gif;base64,${bytes.toString('base64')}`)
  t.equal(pixelsOf(small), 1200)
  t.equal(pixelsOf(at(0, 7000, 7000)), 49_000_000)
  t.equal(pixelsOf(at(6960, 40, 7000)), 49_000_000)
  t.equal(pixelsOf(at(0, 1, 1)), 1200)
  t.ok(embeddedPicture('gif', at(0, 7000, 7000)))
  for (const large of [at(0, 60_000, 60_000), at(0, 40_000, 1), at(40_000, 1, 1)])
    t.equal(embeddedPicture('gif', large), undefined)
})

t.test('embeddedPicture: pixels are counted in every format', async (t) => {
  const picture = sharp(pixels)
  const transparent = sharp(pixels).ensureAlpha(0.5)
  for (const [type, bytes] of [
    ['png', pixels],
    ['jpeg', await picture.clone().jpeg().toBuffer()],
    ['jpeg', await picture.clone().jpeg({ progressive: true }).toBuffer()],
    ['gif', await picture.clone().gif().toBuffer()],
    ['webp', await picture.clone().webp().toBuffer()],
    ['webp', await picture.clone().webp({ lossless: true }).toBuffer()],
    ['webp', await transparent.webp().toBuffer()],
  ] as const)
    t.equal(embeddedPixels(`data:image/${type};base64,${bytes.toString('base64')}`), 1200, type)
  t.equal(embeddedPixels(undefined), 0)
  t.equal(embeddedPixels('#pattern'), 0)
})

t.test(
  'embeddedPicture: without a size, with too many pixels or with an unknown critical part it is not a picture',
  async (t) => {
    const line = Buffer.from(pixels)
    line.writeUInt32BE(40_000, 16)
    line.writeUInt32BE(1, 20)
    t.equal(embeddedPicture('png', line), undefined)
    const large = Buffer.from(pixels)
    large.writeUInt32BE(60_000, 16)
    large.writeUInt32BE(60_000, 20)
    t.equal(embeddedPicture('png', large), undefined)
    const odd = Buffer.concat([
      pixels.subarray(0, 33),
      pngChunk('ODDS', Buffer.from(canary)),
      pixels.subarray(33),
    ])
    t.equal(embeddedPicture('png', odd), undefined)
    const jpeg = await sharp(pixels).jpeg().toBuffer()
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    const tall = Buffer.from(jpeg)
    tall.writeUInt16BE(65_000, frame + 5)
    tall.writeUInt16BE(65_000, frame + 7)
    t.equal(embeddedPicture('jpeg', tall), undefined)
    for (const type of ['png', 'jpeg', 'gif', 'webp'] as const)
      t.equal(embeddedPicture(type, Buffer.alloc(9)), undefined)
  },
)

const drawingWith = (...jpegs: Buffer[]) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg"><rect width="9"/>${jpegs.map((jpeg) => `<image href="data:image/jpeg;base64,${jpeg.toString('base64')}"/>`).join('')}</svg>`,
  )
const jpegsIn = (svg: string) =>
  Array.from(svg.matchAll(/data:image\/jpeg;base64,([^"]*)/g), ([, data = '']) => Buffer.from(data, 'base64'))

/** A progressive JPEG whose last scan is repeated. */
async function manyScans(repeats: number): Promise<Buffer> {
  const jpeg = await sharp(pixels).jpeg({ progressive: true }).toBuffer()
  const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
  return Buffer.concat([jpeg.subarray(0, -2), ...Array<Buffer>(repeats).fill(last), jpeg.subarray(-2)])
}

t.test('a JPEG of many scans is written in one, and any other one stays byte for byte', async (t) => {
  const progressive = await sharp(pixels).jpeg({ progressive: true, quality: 95 }).toBuffer()
  const plain = await sharp(pixels).jpeg().toBuffer()
  const drawing = await sanitizeSvg(drawingWith(progressive, plain, progressive))
  const [first, second, third] = jpegsIn(drawing.svg)
  if (!first || !second || !third) return t.fail('a picture is missing')
  t.same([first, second, third].map(jpegScans), [1, 1, 1])
  t.ok(second.equals(embeddedPicture('jpeg', plain) ?? Buffer.alloc(0)))
  t.ok(first.equals(third))
  const [before, after] = await Promise.all([raw(progressive), raw(first)])
  const difference = before.reduce((sum, value, at) => sum + Math.abs(value - (after[at] ?? 0)), 0)
  t.ok(difference / before.length < 4, 'it looks the same')
  t.same(drawing.removed, [])
  const again = await sanitizeSvg(Buffer.from(drawing.svg))
  t.equal(again.svg, drawing.svg, 'a second time changes nothing')
})

t.test(
  'embeddedPicture: a JPEG of too many scans, or one that cannot be decoded, is emptied, and the warning says so',
  async (t) => {
    const progressive = await sharp(pixels).jpeg({ progressive: true }).toBuffer()
    for (const jpeg of [await manyScans(200), progressive.subarray(0, progressive.length / 2)]) {
      const drawing = await sanitizeSvg(drawingWith(jpeg))
      t.match(drawing, { removed: ['pictures that cannot be displayed'] })
      t.same(jpegsIn(drawing.svg), [])
      t.equal((await sanitizeSvg(Buffer.from(drawing.svg))).svg, drawing.svg)
    }
  },
)

t.test('embeddedPicture: no picture crashes the check, wherever it is truncated', async (t) => {
  for (const [name, [type, picture]] of Object.entries(pictures)) {
    const step = Math.ceil(picture.length / 200)
    t.doesNotThrow(() => {
      for (let length = 0; length < picture.length; length += step) {
        embeddedPicture(type, picture.subarray(0, length))
      }
    }, name)
  }
})

t.test('embeddedPicture: a PNG of more than 50,000 chunks is not a picture', (t) => {
  const withChunks = (count: number) =>
    png({ before: Array<Buffer>(count).fill(pngChunk('tEXt', Buffer.alloc(0))) })
  t.ok(embeddedPicture('png', withChunks(49_000)))
  t.equal(embeddedPicture('png', withChunks(50_000)), undefined)
  t.equal(embeddedPicture('png', withChunks(200_001)), undefined)
  t.end()
})
