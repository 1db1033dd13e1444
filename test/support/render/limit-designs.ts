// Designs and prints at random whose sizes lie at, just below and just above the limits of the renderer.
import fc, { type Arbitrary } from 'fast-check'
import sharp from 'sharp'
import type { PrintTask } from '../../../src/renderer/task.ts'
import { pdf, pdfStream } from '../fixtures/make-pdf.ts'
import { pressProfile } from './pdf-designs.ts'

type Parameters = Record<string, unknown>
type Task = Omit<PrintTask, 'design' | 'kind'>

/** A print of views. */
export interface LimitCase {
  task: Task
  views: unknown
}

/** Pixels of the limit of pictures, and the pixels of its width at which pictures of 200 rows reach it. */
const maxPicturePixels = 60_000
const pictureWidth = maxPicturePixels / 200

const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">${inner}</svg>`)

/** Pictures, drawings and PDFs by the names that the designs give them. */
export async function limitSources(): Promise<Record<string, Buffer>> {
  const flat = (width: number, channels: 3 | 4 = 3) =>
    sharp({ create: { width, height: 200, channels, background: { r: 200, g: 90, b: 40, alpha: 0.5 } } })
  const jpeg = await flat(pictureWidth).jpeg().toBuffer()
  const widths = [pictureWidth - 1, pictureWidth, pictureWidth + 1]
  const sized = widths.map(
    async (width): Promise<[string, Buffer]> => [`${width}.jpg`, await flat(width).jpeg().toBuffer()],
  )
  const frames = Buffer.alloc(2 * 8 * 8 * 3, 60)
  frames.fill(200, 8 * 8 * 3)
  return {
    ...Object.fromEntries(await Promise.all(sized)),
    'above.png': await flat(pictureWidth + 1, 4)
      .png()
      .toBuffer(),
    'alpha.png': await flat(pictureWidth, 4).png().toBuffer(),
    'deep.png': await flat(100).toColourspace('rgb16').png().toBuffer(),
    'gray.png': await flat(100).greyscale().png().toBuffer(),
    'turned.jpg': await flat(pictureWidth).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    'inks.jpg': await flat(100).toColourspace('cmyk').jpeg().toBuffer(),
    'photo.webp': await flat(pictureWidth, 4).webp().toBuffer(),
    'moving.gif': await sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
      .gif({ delay: [100, 100] })
      .toBuffer(),
    'half.jpg': jpeg.subarray(0, jpeg.length / 2),
    'words.png': Buffer.from('no picture'),
    'square.svg': svg('<rect width="40" height="30" fill="#f00"/>'),
    'masked.svg': svg(
      '<mask id="m"><rect width="40" height="30" fill="#fff"/></mask><g mask="url(#m)"><rect width="40" height="30" fill="#00f"/></g>',
    ),
    'pages.pdf': pdf({
      kids: ['5 0 R', '7 0 R'],
      objects: [
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 60] /Contents 6 0 R >>',
        pdfStream('', '1 0 0 rg 0 0 50 50 re f'),
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 0.5 200] /Contents 6 0 R >>',
      ],
    }),
    'cut.pdf': pdf().subarray(0, 200),
  }
}

const near = (limit: number) => fc.constantFrom(limit - 1, limit, limit + 1)
const rarely = <T>(value: Arbitrary<T>, without: T) =>
  fc.oneof({ weight: 40, arbitrary: fc.constant(without) }, { weight: 1, arbitrary: value })
const mostly = <T>(value: T, ...others: T[]) => rarely(fc.constantFrom(...others), value)

/** The sizes of a page in pixels: at a limit of a format or a library, or at the limit of all pixels. */
const pixelSizes = (maxPixels: number) => {
  const sides = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 20, max: Math.min(2000, Math.floor(maxPixels / 20)) }) },
    { weight: 1, arbitrary: near(32_000) },
    { weight: 1, arbitrary: near(32_767) },
    { weight: 1, arbitrary: near(65_500) },
  )
  return sides.chain((width) => {
    const most = Math.max(1, Math.floor(maxPixels / width))
    const heights = fc.oneof(
      { weight: 2, arbitrary: near(most).map((height) => Math.max(1, height)) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: Math.min(most, 1000) }) },
    )
    return fc.tuple(fc.constant(width), heights, fc.boolean())
  })
}

/** The sizes of a page in millimetres at which PDFs need another unit, or pages are refused. */
const millimetreSizes = fc.tuple(
  fc.constantFrom(0, 0.01, 20, 5079, 5081, 10_159, 10_162, 49_999, 50_000, 50_001),
  fc.constantFrom(20, 300, 5081),
)

interface PageSize {
  /** Millimetres. */
  width: number
  height: number
}

const pageSizes = (maxPixels: number, dpi: number): Arbitrary<PageSize> => {
  const millimetres = (pixels: number) => (pixels * 25.4) / dpi
  const pixels = pixelSizes(maxPixels).map(([width, height, isTall]) => {
    const [w, h] = [millimetres(width), millimetres(height)]
    return isTall ? { width: h, height: w } : { width: w, height: h }
  })
  const others = millimetreSizes.map(([width, height]) => ({ width, height }))
  return fc.oneof({ weight: 4, arbitrary: pixels }, { weight: 1, arbitrary: others })
}

const shadow = fc.constantFrom<Parameters>(
  { shadowColor: '#000', shadowBlur: 1 },
  { shadowColor: '#000', shadowBlur: 5 },
  { shadowColor: '#000', shadowBlur: 900 },
)
const looks = fc.record({
  angle: mostly(0, 30, 90),
  opacity: mostly(1, 0.5),
  flipX: mostly(false, true),
  shadow: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: shadow }),
  blend: mostly<Parameters>(
    {},
    { globalCompositeOperation: 'multiply' },
    { globalCompositeOperation: 'xor' },
  ),
  box: mostly<Parameters>(
    {},
    { boundingBox: { x: 0, y: 0, width: 400, height: 400 } },
    { boundingBox: 'None' },
  ),
})

const soundSources = [
  ...['square.svg', 'masked.svg', `${pictureWidth}.jpg`, `${pictureWidth - 1}.jpg`, 'alpha.png', 'gray.png'],
  ...['deep.png', 'inks.jpg', 'turned.jpg', 'photo.webp', 'pages.pdf'],
]
const refusedSources = [
  ...[`${pictureWidth + 1}.jpg`, 'above.png', 'moving.gif', 'half.jpg', 'words.png', 'cut.pdf', 'gone.png'],
]

const picture = fc
  .record({
    source: rarely(fc.constantFrom(...refusedSources), ''),
    sound: fc.constantFrom(...soundSources),
    scale: fc.constantFrom(0.5, 2, 20, 200),
    page: rarely(fc.constantFrom<Parameters>({ page: 2 }, { page: 3 }, { page: 4 }, { page: 0 }), {}),
    filter: rarely(
      fc.constantFrom<Parameters>({ filter: 'grayscale' }, { filter: 'blur' }, { filter: 'unknown' }),
      {},
    ),
    crop: rarely(
      fc.constantFrom<Parameters>(
        { cropX: 5, cropY: 5, width: 20, height: 20 },
        { cropX: 500, cropY: 5, width: 20, height: 20 },
      ),
      {},
    ),
  })
  .map(({ source, sound, scale, page, filter, crop }) => ({
    type: 'image',
    source: source || sound,
    parameters: { scaleX: scale, scaleY: scale, ...page, ...filter, ...crop } as Parameters,
  }))

const text = fc
  .record({
    text: rarely(fc.constantFrom('မြန်မာ', '\u{10ffff}'), ''),
    printable: fc.constantFrom('Ada', 'two\nlines', 'שלום', '🎉', '', ' '),
    fontFamily: mostly('Liberation Sans', 'Arial', 'Missing Sans'),
    fill: mostly('#123456', 'transparent', 'no color'),
    fontSize: fc.constantFrom(10, 60, 900),
    more: rarely(
      fc.constantFrom<Parameters>(
        { curved: true, curveRadius: 90 },
        { textBox: true, width: 120 },
        { stroke: '#f00', strokeWidth: 3 },
        { textPlaceholder: true },
        { numberPlaceholder: true },
      ),
      {},
    ),
  })
  .map(({ more, text: refused, printable, ...looksOfText }) => {
    const words = refused || printable
    return { type: 'text', source: words, parameters: { text: words, ...looksOfText, ...more } as Parameters }
  })

const element = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: picture }, text),
    looks,
    fc.nat({ max: 1000 }),
    fc.nat({ max: 999 }),
  )
  .map(([{ parameters, ...own }, { shadow: cast, blend, box, ...rest }, left, number]) => ({
    ...own,
    title: `Element ${number}`,
    parameters: { left, ...rest, ...cast, ...blend, ...box, ...parameters },
  }))

const names = [{ name: 'Ada', number: '1' }, { name: 'Bo' }, { number: 3 }, { name: 'Di', number: '' }]

/** A view whose stage is 1,000 pixels along the longer side. */
const view = (size: Arbitrary<PageSize>) =>
  fc
    .record({
      size,
      bleed: mostly(0, 3, 101),
      elements: fc.oneof(
        { weight: 8, arbitrary: fc.array(element, { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.array(element, { maxLength: 0 }) },
      ),
      /** The factor by which the ratio of the box differs from that of the page. */
      stretch: mostly(1, 1.009, 1.011, 2),
      turn: mostly<Parameters>({}, { angle: 360 }, { angle: 90 }),
      isWithoutOutput: mostly(false, true),
      isLocked: mostly(false, true),
      entries: mostly(0, 1, 2, 4),
      mask: mostly<Parameters>(
        {},
        { mask: { url: 'square.svg', left: 0, top: 0, scaleX: 30, scaleY: 30 } },
        { mask: { url: 'square.svg' } },
        { mask: { url: `${pictureWidth + 1}.jpg`, left: 0, top: 0 } },
      ),
      areas: mostly(0, 2),
    })
    .map(({ size: { width, height }, bleed, stretch, turn, areas, elements, ...more }) => {
      const stage = 1000 / Math.max(width, height, 1)
      const [w, h] = [width * stage * stretch, height * stage]
      const printingBox = { left: 0, top: 0, width: w, height: h, ...turn }
      const output = more.isWithoutOutput ? {} : { output: { width, height, bleed } }
      const box = { printingBox, ...output }
      const printAreas = Array.from({ length: areas }, (_, index) => ({ id: `Area ${index}`, ...box }))
      return {
        title: 'View',
        elements: elements.map((each) => ({ ...each, parameters: { top: h / 2, ...each.parameters } })),
        ...(more.isLocked && { locked: true }),
        ...(more.entries > 0 && { names_numbers: names.slice(0, more.entries) }),
        options: {
          stageWidth: Math.max(1, w),
          stageHeight: Math.max(1, h),
          ...(areas > 0 ? { printAreas } : box),
          ...more.mask,
        },
      }
    })

const sheet = { width: 450, height: 320, margin: 10, gap: 6, rotate: true, marks: true }

/** Prints of one to three views. @param profile path of an output profile */
const cases = (profile: string): Arbitrary<LimitCase> =>
  fc
    .record({
      format: fc.constantFrom(
        'svg-pdf' as const,
        'svg-pdf' as const,
        'png' as const,
        'jpeg' as const,
        'svg' as const,
      ),
      dpi: fc.constantFrom(1, 72, 96, 300, 2400),
      maxPixels: fc.constantFrom(10_000, 200_000, 1_000_000),
    })
    .chain(({ format, dpi, maxPixels }) =>
      fc.record({
        views: fc.array(view(pageSizes(maxPixels, dpi)), { minLength: 1, maxLength: 3 }),
        options: fc.record({
          fit: mostly('refuse' as const, 'contain' as const, 'cover' as const, 'center' as const),
          isForPress: fc.boolean(),
          isOnSheets: mostly(false, true),
          maxPages: mostly(4, 2),
          cropMarks: fc.boolean(),
          mirror: mostly(false, true),
          outlines: mostly(false, true),
          includeFonts: mostly(false, true),
          includePictures: mostly(false, true),
          summary: mostly(false, true),
        }),
        form: fc.constant({ format, dpi, maxPixels }),
      }),
    )
    .map(({ views, form, options: { isForPress, isOnSheets, ...options } }) => ({
      views,
      task: {
        ...form,
        ...options,
        minDpi: undefined,
        maxPicturePixels,
        sheet: isOnSheets ? sheet : undefined,
        press: isForPress ? pressOf(profile) : undefined,
      },
    }))

const pressOf = (profile: string): PrintTask['press'] => ({
  profile,
  condition: 'test',
  overprintBlack: false,
  blackInk: 'text',
  maxInk: 300,
  spots: [],
})

/** Prints at the limits, for properties. */
export const limitCases = async (): Promise<Arbitrary<LimitCase>> => cases(await pressProfile())
