// Pictures are re-encoded, and keep what a printer needs.
import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import t from 'tap'
import { encodeJpeg, encodePng } from '../../../../src/files/picture/encode.ts'
import { jpegScans } from '../../../../src/files/picture/jpeg.ts'
import { pngPicture } from '../../../../src/files/picture/png.ts'
import { prepareJpeg, preparePng } from '../../../../src/files/picture/prepare.ts'
import { FileRejected } from '../../../../src/files/rejected.ts'
import { isLinear } from '../../../support/fixtures/growth.ts'
import { png, pngChunk } from '../../../support/fixtures/make-png.ts'

const raw = (width: number, height: number, channels: 3 | 4 = 3) =>
  ({ raw: { width, height, channels } }) as const
const encode = (bytes: Buffer, type: 'png' | 'jpeg') => (type === 'png' ? encodePng : encodeJpeg)(bytes)

/** Red, green / blue, white in quarters. */
async function quarters(width = 64, height = 32): Promise<Sharp> {
  const colors = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ]
  const pixels = Array.from({ length: width * height }, (_, at) => {
    const right = at % width >= width / 2 ? 1 : 0
    return colors[(at >= (width * height) / 2 ? 2 : 0) + right] ?? []
  })
  return sharp(Buffer.from(pixels.flat()), raw(width, height))
}

async function corner(bytes: Buffer): Promise<number[]> {
  const { data } = await sharp(bytes)
    .extract({ left: 2, top: 2, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

t.test(
  'encodeJpeg, encodePng: a JPEG in any of the eight orientations is turned upright, and its sides are swapped from the fifth on',
  async (t) => {
    const upright = await corner(await (await quarters()).jpeg().toBuffer())
    const turns: ((image: Sharp) => Sharp)[] = [
      (image) => image,
      (image) => image.flop(),
      (image) => image.rotate(180),
      (image) => image.flip(),
      (image) => image.rotate(270).flop(),
      (image) => image.rotate(270),
      (image) => image.rotate(90).flop(),
      (image) => image.rotate(90),
    ]
    for (const [index, turn] of turns.entries()) {
      const stored = await sharp(
        await turn(sharp(await (await quarters()).png().toBuffer()))
          .png()
          .toBuffer(),
      )
        .withMetadata({ orientation: index + 1 })
        .jpeg({ quality: 95 })
        .toBuffer()
      const { bytes, width, height } = await encode(stored, 'jpeg')
      t.strictSame([width, height], [64, 32], `orientation ${index + 1}`)
      t.ok(
        (await corner(bytes)).every((value, at) => Math.abs(value - (upright[at] ?? 0)) < 12),
        `orientation ${index + 1}`,
      )
      t.equal((await sharp(bytes).metadata()).orientation, undefined)
    }
  },
)

t.test('encodeJpeg, encodePng: the density is kept, from JFIF, Exif and PNG chunks alike', async (t) => {
  const exif = await (await quarters()).jpeg().withMetadata({ density: 300 }).toBuffer()
  const first = (await encode(exif, 'jpeg')).bytes
  t.equal((await sharp(first).metadata()).density, 300)
  t.equal((await sharp((await encode(first, 'jpeg')).bytes).metadata()).density, 300)
  const chunk = await (await quarters()).png().withMetadata({ density: 254 }).toBuffer()
  t.equal((await sharp((await encode(chunk, 'png')).bytes).metadata()).density, 254)
})

t.test('encodeJpeg, encodePng: all metadata is removed', async (t) => {
  const full = await (await quarters())
    .jpeg()
    .withExif({ IFD0: { Artist: 'somebody' }, IFD3: { GPSLatitude: '1/1 2/1 3/1' } })
    .withIccProfile('p3')
    .toBuffer()
  const { exif, icc, xmp, iptc } = await sharp((await encode(full, 'jpeg')).bytes).metadata()
  t.strictSame([exif, icc, xmp, iptc], [undefined, undefined, undefined, undefined])
})

t.test('encodeJpeg, encodePng: a CMYK JPEG becomes sRGB, and the warning says so', async (t) => {
  const cmyk = await (await quarters()).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()
  const { bytes, warning } = await encode(cmyk, 'jpeg')
  t.equal((await sharp(bytes).metadata()).space, 'srgb')
  t.match(warning, /CMYK/)
  t.equal((await encode(await (await quarters()).jpeg().toBuffer(), 'jpeg')).warning, undefined)
})

t.test('colors of an embedded profile are converted, not just relabelled', async (t) => {
  const grey = sharp({ create: { width: 8, height: 8, channels: 3, background: '#b06030' } })
  const p3 = await grey.png().withIccProfile('p3').toBuffer()
  const stored = await corner((await encode(p3, 'png')).bytes)
  t.ok(
    [0xb0, 0x60, 0x30].every((value, at) => Math.abs(value - (stored[at] ?? 0)) <= 3),
    `${stored}`,
  )
})

t.test('encodeJpeg, encodePng: 16-bit colors are converted from any profile as well', async (t) => {
  const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: '#14c85a' } })
  for (const profile of ['p3', 'srgb']) {
    const before = await plain.clone().toColourspace('rgb16').withIccProfile(profile).png().toBuffer()
    const { bytes } = await encode(before, 'png')
    t.match(await sharp(bytes).metadata(), { depth: 'ushort', hasProfile: false })
    const stored = await corner(await sharp(bytes).toColourspace('srgb').png().toBuffer())
    t.ok(
      [0x14, 0xc8, 0x5a].every((value, at) => Math.abs(value - (stored[at] ?? 0)) <= 2),
      `${profile}: ${stored}`,
    )
  }
})

t.test(
  'encodeJpeg, encodePng: texts of a PNG are left out before anything unpacks them, and its colors and density are not',
  async (t) => {
    const text = pngChunk('zTXt', Buffer.from('Key\0\0'))
    const used = ['gAMA', 'iCCP', 'pHYs', 'tRNS'].map((type) => pngChunk(type, Buffer.from('used')))
    const [first, ...others] = used
    const before = png({ before: [text, ...(first ? [first] : []), text, ...others, text], after: 'more' })
    t.strictSame(Buffer.from(pngPicture(before)), png({ before: used, after: 'more' }))
    t.equal(pngPicture(png()).length, png().length)
    const damaged = [png().subarray(0, 11), png().subarray(0, 40), Buffer.alloc(40, 0xff)]
    for (const file of damaged) t.strictSame(Buffer.from(pngPicture(file)), file)
  },
)

t.test('encodeJpeg, encodePng: a PNG keeps its sixteen bits and its alpha, value for value', async (t) => {
  const before = png({ width: 20, height: 10, depth: 16, color: 6 })
  const { bytes } = await encode(before, 'png')
  const values = (file: Buffer) => sharp(file).raw({ depth: 'ushort' }).toBuffer()
  t.match(await sharp(bytes).metadata(), { depth: 'ushort', hasAlpha: true, channels: 4 })
  t.strictSame(await values(bytes), await values(before))
})

t.test('encodeJpeg, encodePng: a palette PNG with transparency keeps its pixels', async (t) => {
  const pixels = Buffer.from(
    Array.from({ length: 64 * 4 }, (_, at) => (at % 4 === 3 ? (at % 8 === 3 ? 0 : 255) : at % 2 ? 200 : 40)),
  )
  const before = await sharp(pixels, raw(8, 8, 4))
    .png({ palette: true })
    .toBuffer()
  const { bytes } = await encode(before, 'png')
  t.strictSame(
    await sharp(bytes).ensureAlpha().raw().toBuffer(),
    await sharp(before).ensureAlpha().raw().toBuffer(),
  )
})

t.test('encodeJpeg, encodePng: encodeJpeg: a gray JPEG stays gray, as light as it is', async (t) => {
  const gray = sharp({ create: { width: 64, height: 32, channels: 3, background: '#888888' } })
  const { bytes } = await encode(await gray.toColourspace('b-w').jpeg().toBuffer(), 'jpeg')
  t.match(await sharp(bytes).metadata(), { channels: 1, space: 'b-w' })
  t.ok(Math.abs(((await corner(bytes))[0] ?? 0) - 0x88) <= 2)
})

t.test('encodePng: a gray PNG stays gray, pixel for pixel, also where it is transparent', async (t) => {
  for (const color of [0, 4] as const) {
    const before = png({ width: 20, height: 10, depth: 8, color })
    const { bytes } = await encode(before, 'png')
    t.match(await sharp(bytes).metadata(), { channels: color === 4 ? 2 : 1, space: 'b-w' })
    t.strictSame(await sharp(bytes).raw().toBuffer(), await sharp(before).raw().toBuffer())
  }
})

t.test('encodeJpeg, encodePng: re-encoding a JPEG changes pixels only slightly', async (t) => {
  const before = await (await quarters(64, 64)).jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer()
  const { bytes } = await encode(before, 'jpeg')
  const [a, b] = await Promise.all([sharp(before).raw().toBuffer(), sharp(bytes).raw().toBuffer()])
  t.ok(a.every((value, at) => Math.abs(value - (b[at] ?? 0)) < 16))
  t.equal((await sharp(bytes).metadata()).chromaSubsampling, '4:4:4')
})

t.test(
  'encodeJpeg, encodePng: encodePng: a picture over 120 megapixels is refused by its header, with its size in the sentence',
  async (t) => {
    const bomb = png({ width: 16_000, height: 16_000, color: 0, pixels: Buffer.alloc(10) })
    await t.rejects(encode(bomb, 'png'), {
      code: 'svc_upload_rejected',
      message: 'The picture has 16000 × 16000 pixels (256 megapixels); at most 120 megapixels are printed.',
    })
  },
)

/** A PNG of one or of sixteen bits in rows or interlaced, whose pixels are missing. */
function header(width: number, height: number, [depth, color, interlace]: [number, number, number]): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth, color, 0, 0, interlace], 8)
  const bytes = png({ pixels: deflateSync(Buffer.alloc(1000)) })
  return Buffer.concat([bytes.subarray(0, 8), pngChunk('IHDR', data), bytes.subarray(33)])
}

t.test('a picture of few pixels but endless rows or columns is refused by its header', async (t) => {
  const line = [1, 0, 0] as [number, number, number]
  for (const [width, height] of [
    [49_000_000, 1],
    [1, 49_000_000],
    [32_768, 1],
  ] as const)
    await t.rejects(encode(header(width, height, line), 'png'), {
      code: 'svc_upload_rejected',
      message: /32767 pixels for each side/,
    })
  t.match(await encode(png({ width: 32_767, height: 1 }), 'png'), { width: 32_767 })
})

t.test('a picture that takes too much memory as a whole is refused before it is decoded', async (t) => {
  const memory = { code: 'svc_upload_rejected', message: /memory/ }
  const turned = pngChunk(
    'eXIf',
    Buffer.from('49492a000800000001001201030001000000060000000000000000', 'hex'),
  )
  const upright = header(7000, 7000, [16, 6, 1])
  await t.rejects(
    encode(Buffer.concat([upright.subarray(0, 33), turned, upright.subarray(33)]), 'png'),
    memory,
  )
  // Read row by row, or with fewer bits, it fits; only its pixels are missing.
  for (const form of [
    [16, 6, 0],
    [8, 6, 1],
    [1, 3, 1],
  ] as [number, number, number][])
    await t.rejects(encode(header(7000, 7000, form), 'png'), { message: /damaged/ })
})

t.test('encodeJpeg, encodePng: a PNG with many or large unused chunks is accepted', async (t) => {
  const many = Array.from({ length: 100 }, (_, index) => pngChunk('tEXt', Buffer.from(`Key${index}\0value`)))
  t.match(await encode(png({ before: many }), 'png'), { width: 16, height: 12 })
})

t.test('encodeJpeg, encodePng: scans are counted without decoding them', async (t) => {
  const progressive = await (await quarters(200, 200)).jpeg({ progressive: true }).toBuffer()
  const scans = jpegScans(progressive)
  t.ok(scans > 3 && scans < 20)
  t.equal(jpegScans(await (await quarters()).jpeg().toBuffer()), 1)
  t.equal(jpegScans(Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 0])), 1)
})

t.test('encodeJpeg, encodePng: extraneous bytes between the segments of a JPEG are ignored', async (t) => {
  const photo = await (await quarters(200, 200)).jpeg().toBuffer()
  const between = (at: number, stray: string) =>
    Buffer.concat([photo.subarray(0, at), Buffer.from(stray), photo.subarray(at)])
  const scan = photo.indexOf(Buffer.from([0xff, 0xda]))
  for (const file of [between(scan, 'abcd'), between(scan, 'abcd\0'), between(photo.length - 2, '1234567')]) {
    t.match(await encode(file, 'jpeg'), { width: 200, height: 200 })
    t.equal(jpegScans(file), 1)
  }
  const cut = Buffer.concat([photo.subarray(0, scan + 400), photo.subarray(-2)])
  await t.rejects(encode(cut, 'jpeg'), { code: 'svc_upload_rejected' })
})

t.test('encodeJpeg, encodePng: the colors of a PNG with a gamma chunk are converted', async (t) => {
  const toSrgb = (light: number) =>
    255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)
  const chunk = (type: string, ...values: number[]) =>
    pngChunk(
      type,
      Buffer.concat(
        values.map((value) =>
          Buffer.from([0, 0, 0, 0].map((_, at) => (Math.round(value * 100_000) >>> (24 - 8 * at)) & 255)),
        ),
      ),
    )
  const shade = (value: number, color: 0 | 2 | 6, before: Buffer[], depth: 8 | 16 = 8) => {
    const samples = { 0: 1, 2: 3, 6: 4 }[color] * (depth / 8)
    return png({
      width: 4,
      height: 4,
      depth,
      color,
      before,
      pixels: deflateSync(
        Buffer.concat(Array(4).fill(Buffer.concat([Buffer.alloc(1), Buffer.alloc(4 * samples, value)]))),
      ),
    })
  }
  const srgb = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
  for (const gamma of [1, 1 / 1.8, 0.3]) {
    for (const [color, depth] of [
      [0, 8],
      [2, 8],
      [6, 8],
      [2, 16],
      [0, 16],
    ] as const) {
      for (const points of [[], [chunk('cHRM', ...srgb)]]) {
        const { bytes } = await encode(shade(128, color, [chunk('gAMA', gamma), ...points], depth), 'png')
        const stored = (await corner(await sharp(bytes).toColourspace('srgb').png().toBuffer()))[0] ?? 0
        const expected = toSrgb((128 / 255) ** (1 / gamma))
        t.ok(
          Math.abs(stored - expected) <= 3,
          `gamma ${gamma}, kind ${color}, ${depth} bits: ${stored}, not ${expected}`,
        )
      }
    }
  }
  for (const before of [
    [chunk('gAMA', 0.45455)],
    [chunk('gAMA', 1), pngChunk('sRGB', Buffer.alloc(1))],
    [chunk('gAMA', 0)],
  ])
    t.equal((await corner((await encode(shade(128, 2, before), 'png')).bytes))[0], 128)
  const wide = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
  const [red = 0, green = 0] = await corner(
    (
      await encode(
        png({
          width: 4,
          height: 4,
          before: [chunk('gAMA', 1), chunk('cHRM', ...wide)],
          pixels: deflateSync(
            Buffer.concat(Array(4).fill(Buffer.from([0, ...Array(4).fill([200, 100, 50]).flat()]))),
          ),
        }),
        'png',
      )
    ).bytes,
  )
  t.ok(red > toSrgb(200 / 255) && green < toSrgb(100 / 255), `${red}, ${green}`)
})

t.test('an animated PNG becomes a still picture, and the warning says so', async (t) => {
  const animated = png({ before: [pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] })
  t.match(await encode(animated, 'png'), { warning: /animated/ })
  t.equal((await encode(png(), 'png')).warning, undefined)
})

t.test(
  'encodeJpeg, encodePng: a picture of more parts than any program writes is refused, at a cost that grows with its size only',
  async (t) => {
    const refused = { code: 'svc_upload_rejected', message: /too many (chunks|segments)/ }
    await t.rejects(
      encode(png({ before: Array(210_000).fill(pngChunk('teXt', Buffer.alloc(0))) }), 'png'),
      refused,
    )
    const comments = Buffer.concat(Array(110_000).fill(Buffer.from([0xff, 0xfe, 0, 2])))
    const photo = await (await quarters()).jpeg().toBuffer()
    await t.rejects(
      encode(Buffer.concat([photo.subarray(0, 2), comments, photo.subarray(2)]), 'jpeg'),
      refused,
    )
    const scan = photo.subarray(0, photo.indexOf(Buffer.from([0xff, 0xda])) + 14)
    for (const filling of ['ff', 'ff00', '00', '01', 'ffd0', 'ffda0002'])
      t.ok(
        await isLinear(
          (count) => Buffer.concat([scan, Buffer.alloc(10 * count, Buffer.from(filling, 'hex'))]),
          attempted,
        ),
        filling,
      )
    t.ok(
      await isLinear(
        (count) => png({ before: Array(count / 4).fill(pngChunk('teXt', Buffer.alloc(0))) }),
        (file) => preparePng(file).bytes,
      ),
    )
  },
)

function attempted(file: Buffer): void {
  try {
    prepareJpeg(file)
  } catch (error) {
    if (!(error instanceof FileRejected)) throw error
  }
}

t.test('the global settings of the codec library, which belong to the host, do not change', async (t) => {
  const settings = () => [sharp.concurrency(), sharp.cache().memory.max, sharp.simd()]
  const before = settings()
  await encode(png(), 'png')
  t.strictSame(settings(), before)
})

t.test('encodeJpeg, encodePng: a decode may take twenty seconds', async (t) => {
  const prototype = Object.getPrototypeOf(sharp(png()))
  const limits = t.capture(prototype, 'timeout', prototype.timeout)
  const bytes = await (await quarters()).png().toBuffer()
  await encode(bytes, 'png')
  t.same(
    limits().map(({ args }) => args),
    [[{ seconds: 20 }]],
  )
})
