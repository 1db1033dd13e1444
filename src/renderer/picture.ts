// Reads the picture files of a design: the format and size of each, and whether all of its rows can be decoded.
import sharp, { type Metadata, type Sharp } from 'sharp'
import { pixelProblem } from '../files/picture/limits.ts'
import { formatName, wholeJpeg } from './picture-files.ts'
import { Undrawable } from './refusal.ts'

const formats = ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const

/** A picture file whose header was read. */
export interface SourcePicture {
  /** The file, with what `readPicture` adds to a JPEG: an end marker, a profile for CMYK. */
  bytes: Uint8Array
  format: (typeof formats)[number]
  /** Upright, in pixels. */
  width: number
  height: number
  /** As in Exif: 1 is upright; above 4, width and height change places. */
  orientation: number
  /** Whether every PDF can embed the bytes unchanged: a JPEG in gray or RGB. */
  isPlainJpeg: boolean
  /** Whether a PDF in the inks of a press can: a JPEG in CMYK. */
  isPlainCmyk: boolean
  /** 1 or 2 is gray, 3 RGB, 4 CMYK or RGB with transparency. */
  channels: number
  /** The color profile of the file as it was uploaded. */
  icc: Buffer | undefined
  /** In CMYK; outside of a PDF for the press it is printed in RGB, by its profile or `cmykProfile`. */
  isCmyk: boolean
  /** Whether all rows were decoded. Otherwise the picture may be damaged, which shows when it is drawn. */
  isChecked: boolean
}

/** Pixels from which a preview does without the check of all rows, which would take longer than drawing its small picture. */
const slowPixels = 8_000_000

/** How a picture file is read. */
export interface PictureOptions {
  /** The profile of CMYK pictures that have none. */
  cmykProfile?: Uint8Array | undefined
  /** Default: `standardPixels`. */
  maxPixels?: number | undefined
  /** Leaves the rows of large pictures unchecked until they are drawn. */
  isPreview?: boolean
}

/**
 * Reads the header of a picture, and decodes its rows to check them.
 * @throws Undrawable for a file that is no picture, is damaged, has several pages or frames, or is too large
 */
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
  if (pages > 1) throw severalPages(format, pages)
  const isChecked = !(isPreview && width * height >= slowPixels && !withEndMarker(file, meta))
  const bytes = isChecked ? await checkedBytes(file, meta) : file
  const isTurned = orientation > 4
  const isCmyk = space === 'cmyk'
  const lacksProfile = format === 'jpeg' && isCmyk && !icc && cmykProfile !== undefined
  return {
    bytes: lacksProfile ? withProfile(bytes, cmykProfile) : bytes,
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

/** The header of a picture. Async, so that it also rejects for a file without bytes, for which the library throws at once. */
const metadataOf = async (file: Uint8Array) => openPicture(file).metadata()

const severalPages = (format: SourcePicture['format'], pages: number) =>
  new Undrawable(
    'picture',
    format === 'tiff'
      ? `The TIFF file has ${pages} pages; save one of them.`
      : 'A moving picture cannot be printed.',
  )

function formatOf(meta: Metadata): SourcePicture['format'] | undefined {
  const name: string = meta.format === 'heif' && meta.compression === 'av1' ? 'avif' : meta.format
  return formats.find((format) => format === name)
}

/** The refusal of a file whose header cannot be read, which names what it is instead of a picture. */
function unknownFormat(file: Uint8Array): Undrawable {
  const name = formatName(file)
  if (name === undefined) return new Undrawable('picture', notPicture)
  if (formats.some((format) => name === format))
    return new Undrawable('picture', `The header of the picture (${name.toUpperCase()}) is damaged.`)
  return new Undrawable('picture', `The file is ${name}, not a picture that can be printed (${printable}).`)
}

const printable = 'PNG, JPEG, WebP, GIF, AVIF, TIFF or SVG'
const notPicture = `The file is not a picture that can be printed (${printable}).`

/** The file with an end marker, after all of its rows were decoded: a truncated picture must not reach the printer. @throws Undrawable */
async function checkedBytes(file: Uint8Array, meta: Metadata): Promise<Uint8Array> {
  const bytes = withEndMarker(file, meta) ?? file
  try {
    await decodeRows(bytes, meta)
    return bytes
  } catch (error) {
    throw damaged(error)
  }
}

/** A JPEG that lacks its end marker, with one; undefined for other files. */
const withEndMarker = (file: Uint8Array, { format, isProgressive }: Metadata) =>
  format === 'jpeg' && !isProgressive ? wholeJpeg(file) : undefined

/** Matches the messages of decoders about missing rows. */
const incomplete = /premature end|out of order/i

/** The refusal of a picture whose rows cannot be decoded. @param error of the decoder */
export function damaged(error: unknown): Undrawable {
  const [line = ''] = error instanceof Error ? error.message.split('\n', 1) : []
  const cause = line
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, 120)
    .trim()
  const problem = incomplete.test(cause)
    ? 'The picture is damaged: it lacks rows of pixels'
    : 'The picture is damaged'
  return new Undrawable(
    'picture',
    `${problem}${cause === '' ? '' : ` (${cause})`}. Upload the original file.`,
  )
}

/**
 * Decodes all rows. For missing rows of a JPEG with an end marker, the decoder only gives a warning, and none for the last rows of a
 * reduced picture: so its last pixel is decoded alone first. Other warnings are about bytes that change nothing visible.
 * @throws the error of the decoder
 */
async function decodeRows(bytes: Uint8Array, { format, height }: Metadata): Promise<void> {
  if (format === 'jpeg') {
    const lastPixel = { left: 0, top: height - 1, width: 1, height: 1 }
    try {
      await openPicture(bytes, 'warning').extract(lastPixel).raw().toBuffer()
      return
    } catch (error) {
      if (incomplete.test(String(error))) throw error
    }
  }
  await openPicture(bytes).resize(32).raw().toBuffer()
}

/** Opens a picture for the picture library, without its limit of pixels: `readPicture` has checked the size. */
export const openPicture = (bytes: Uint8Array, failOn: 'warning' | 'truncated' = 'truncated'): Sharp =>
  sharp(bytes, { limitInputPixels: false, failOn, sequentialRead: true })

/** The most bytes of a profile in one segment of a JPEG. */
const maxSegment = 65_519

/** The file with the profile in APP2 segments (ICC.1:2022 annex B.4). */
function withProfile(jpeg: Uint8Array, profile: Uint8Array): Buffer {
  const count = Math.ceil(profile.length / maxSegment)
  const segments = Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * maxSegment, (index + 1) * maxSegment)
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
