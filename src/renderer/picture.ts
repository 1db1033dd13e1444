// Pictures of the design, read once: what kind of file each is, its size, and whether it is whole.
import sharp, { type Metadata, type Sharp } from 'sharp'
import { pixelProblem } from '../files/picture/limits.ts'
import { formatName, wholeJpeg } from './picture-files.ts'
import { Undrawable } from './refusal.ts'

const formats = ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const

/** A picture file whose header was read. */
export interface SourcePicture {
  bytes: Uint8Array
  format: (typeof formats)[number]
  /** Upright, in pixels. */
  width: number
  height: number
  /** As in Exif: 1 is upright; above 4, width and height change places. */
  orientation: number
  /** Whether a PDF can embed the bytes unchanged. */
  isPlainJpeg: boolean
  /** The same for a PDF in the inks of a press. */
  isPlainCmyk: boolean
  channels: number
  icc: Buffer | undefined
  /** Printed in RGB, by the profile in the file. */
  isCmyk: boolean
  /** Whether all rows were decoded. Else the picture may be damaged, which shows when it is drawn. */
  isChecked: boolean
}

/** Pixels from which the check of all rows takes longer than drawing the small picture of a preview. */
const slowPixels = 8_000_000

interface PictureOptions {
  /** Of CMYK pictures that have none. */
  cmykProfile?: Uint8Array | undefined
  /** Default: `standardPixels`. */
  maxPixels?: number | undefined
  /** Leaves the rows of large pictures unchecked until they are drawn. */
  isPreview?: boolean
}

/** @throws Undrawable */
export async function readPicture(
  file: Uint8Array,
  { cmykProfile, maxPixels, isPreview = false }: PictureOptions = {},
): Promise<SourcePicture> {
  const meta = await metadataOf(file).catch(() => undefined)
  const format = meta && formatOf(meta)
  if (!format) throw unknownFormat(file)
  const { width = 0, height = 0, space, orientation = 1, channels = 3, icc, pages = 1 } = meta
  const problem = pixelProblem(width, height, maxPixels)
  if (problem !== undefined) throw new Undrawable('limit', problem)
  if (pages > 1) {
    if (format === 'tiff')
      throw new Undrawable('picture', `The TIFF file has ${pages} pages; save one of them.`)
    throw new Undrawable('picture', 'A moving picture cannot be printed.')
  }
  const isChecked = !(isPreview && width * height >= slowPixels && !endless(file, meta))
  const bytes = isChecked ? await whole(file, meta) : file
  const isTurned = orientation > 4
  const isCmyk = space === 'cmyk'
  const isBare = format === 'jpeg' && isCmyk && !icc && cmykProfile !== undefined
  return {
    bytes: isBare ? withProfile(bytes, cmykProfile) : bytes,
    format,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    orientation,
    isPlainJpeg: format === 'jpeg' && (channels === 1 || channels === 3),
    isPlainCmyk: format === 'jpeg' && isCmyk,
    channels,
    icc,
    isCmyk,
    isChecked,
  }
}

/** A file without bytes makes the library throw at once. */
const metadataOf = async (file: Uint8Array) => openPicture(file).metadata()

function formatOf(meta: Metadata): SourcePicture['format'] | undefined {
  const name: string = meta.format === 'heif' && meta.compression === 'av1' ? 'avif' : meta.format
  return formats.find((each) => each === name)
}

/** What the file is instead of a picture. */
function unknownFormat(file: Uint8Array): Undrawable {
  const what = formatName(file)
  if (what === undefined) return new Undrawable('picture', notPicture)
  if (formats.some((each) => what === each))
    return new Undrawable('picture', `The header of the picture (${what.toUpperCase()}) is damaged.`)
  return new Undrawable('picture', `The file is ${what}, not a picture that can be printed (${printable}).`)
}

const printable = 'PNG, JPEG, WebP, GIF, AVIF, TIFF or SVG'
const notPicture = `The file is not a picture that can be printed (${printable}).`

/** The file, after all of its rows were decoded: a truncated picture must not reach the printer. @throws Undrawable */
async function whole(file: Uint8Array, meta: Metadata): Promise<Uint8Array> {
  const bytes = endless(file, meta) ?? file
  try {
    await decoded(bytes, meta)
    return bytes
  } catch (error) {
    throw damaged(error)
  }
}

/** The JPEG with its end marker; undefined unless it lacks that. */
const endless = (file: Uint8Array, { format, isProgressive }: Metadata) =>
  format === 'jpeg' && !isProgressive ? wholeJpeg(file) : undefined

/** What decoders say of rows that are missing. */
const incomplete = /premature end|out of order/i

/** @param error of the decoder */
export function damaged(error: unknown): Undrawable {
  const [line = ''] = error instanceof Error ? error.message.split('\n', 1) : []
  const cause = line
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, 120)
    .trim()
  const what = incomplete.test(cause)
    ? 'The picture is damaged: it lacks rows of pixels'
    : 'The picture is damaged'
  return new Undrawable('picture', `${what}${cause === '' ? '' : ` (${cause})`}. Upload the original file.`)
}

/**
 * All rows. Of a JPEG with an end marker, rows that are missing are only a warning of the decoder, which a reduced picture
 * does not give for the last rows: the last pixel is cut out. Other warnings are about bytes that change nothing visible.
 */
async function decoded(bytes: Uint8Array, { format, height }: Metadata): Promise<void> {
  if (format === 'jpeg') {
    const last = openPicture(bytes, 'warning').extract({ left: 0, top: height - 1, width: 1, height: 1 })
    const problem = await last
      .raw()
      .toBuffer()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    if (problem === undefined) return
    if (incomplete.test(String(problem))) throw problem
  }
  await openPicture(bytes).resize(32).raw().toBuffer()
}

/** The size is checked before its pixels are decoded. */
export const openPicture = (bytes: Uint8Array, failOn: 'warning' | 'truncated' = 'truncated'): Sharp =>
  sharp(bytes, { limitInputPixels: false, failOn, sequentialRead: true })

/** Bytes of a profile in one segment of a JPEG. */
const most = 65_519

/** The file with the profile in the segments that JPEGs have for it. */
function withProfile(jpeg: Uint8Array, profile: Uint8Array): Buffer {
  const count = Math.ceil(profile.length / most)
  const segments = Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * most, (index + 1) * most)
    const head = Buffer.alloc(18)
    head.writeUInt16BE(0xffe2, 0)
    head.writeUInt16BE(part.length + 16, 2)
    head.write('ICC_PROFILE\0', 4, 'latin1')
    head[16] = index + 1
    head[17] = count
    return Buffer.concat([head, part])
  })
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}
