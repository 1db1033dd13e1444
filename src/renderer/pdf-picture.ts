// Pictures as objects of a PDF: JPEG unchanged, all others as deflated pixels with a mask.
import { deflateSync } from 'node:zlib'
import { identity, type Matrix, multiply, type Rectangle } from './matrix.ts'
import type { Document, Reference } from './pdf-document.ts'
import type { PlainPng } from './plain-png.ts'

/** Of a picture, ready to be put into the file. */
export type PdfPicture =
  | {
      kind: 'jpeg'
      bytes: Uint8Array
      width: number
      height: number
      channels: number
      icc: Buffer | undefined
      /** As in Exif; width and height are those of the turned picture. */
      orientation: number
    }
  | ({ kind: 'png'; width: number; height: number } & PlainPng)
  | {
      kind: 'pixels'
      rgba: Uint8Array
      width: number
      height: number
      /** Without edges between its pixels, such as a shadow. */
      isSoft?: boolean
    }
  | { kind: 'inks'; inks: Uint8Array; alpha: Uint8Array; width: number; height: number; isSoft?: boolean }

export function pictureObject(doc: Document, picture: PdfPicture): Reference {
  const isTurned = picture.kind === 'jpeg' && picture.orientation > 4
  const [Width, Height] = isTurned ? [picture.height, picture.width] : [picture.width, picture.height]
  const image = { Type: 'XObject', Subtype: 'Image', Width, Height, BitsPerComponent: 8 }
  if (picture.kind === 'jpeg') {
    const { bytes, channels, icc } = picture
    const device = channels === 1 ? 'DeviceGray' : channels === 4 ? 'DeviceCMYK' : 'DeviceRGB'
    const ColorSpace = icc ? ['ICCBased', profileObject(doc, icc, channels, device)] : device
    // Programs that write JPEGs of four inks invert them.
    const Decode = channels === 4 ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}
    const ref = doc.ref({ ...image, ColorSpace, ...Decode, Filter: 'DCTDecode' })
    ref.end(Buffer.from(bytes))
    return ref
  }
  if (picture.kind === 'png') return plainPngObject(doc, picture, image)
  const deflated = (data: Record<string, unknown>, bytes: Uint8Array) => {
    const Interpolate = picture.isSoft && { Interpolate: true }
    const ref = doc.ref({ ...image, ...data, ...Interpolate, Filter: 'FlateDecode' })
    ref.end(deflateSync(bytes, { level: 6 }))
    return ref
  }
  const { colors, alpha, ColorSpace } =
    picture.kind === 'inks'
      ? { colors: picture.inks, alpha: picture.alpha, ColorSpace: 'DeviceCMYK' }
      : { ...apart(picture.rgba), ColorSpace: 'DeviceRGB' }
  const isOpaque = alpha.every((value) => value === 255)
  const mask = isOpaque ? {} : { SMask: deflated({ ColorSpace: 'DeviceGray' }, alpha) }
  return deflated({ ColorSpace, ...mask }, colors)
}

/** Its rows stay as they are. */
function plainPngObject(
  doc: Document,
  { data, colors, palette, width: Columns }: Extract<PdfPicture, { kind: 'png' }>,
  image: Record<string, unknown>,
): Reference {
  let ColorSpace: unknown = colors === 3 ? 'DeviceRGB' : 'DeviceGray'
  if (palette) {
    const table = doc.ref({})
    table.end(palette)
    ColorSpace = ['Indexed', 'DeviceRGB', Math.floor(palette.length / 3) - 1, table]
  }
  const DecodeParms = { Predictor: 15, Colors: colors, BitsPerComponent: 8, Columns }
  const ref = doc.ref({ ...image, ColorSpace, Filter: 'FlateDecode', DecodeParms })
  ref.end(data)
  return ref
}

/** From the unit square of the stored picture to that of the upright one, both measured downwards. */
const turns: readonly Matrix[] = [
  [1, 0, 0, 1, 0, 0],
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
]

/** From the unit square of a PDF, which is measured upwards, to a rectangle in which the picture is upright. */
export function placeOf(picture: PdfPicture, { x, y, width, height }: Rectangle): Matrix {
  const turn = turns[picture.kind === 'jpeg' ? picture.orientation - 1 : 0] ?? identity
  return multiply([width, 0, 0, height, x, y], multiply(turn, [1, 0, 0, -1, 0, 1]))
}

function apart(rgba: Uint8Array): { colors: Uint8Array; alpha: Uint8Array } {
  const count = rgba.length / 4
  const colors = Buffer.alloc(count * 3)
  const alpha = Buffer.alloc(count)
  for (let i = 0; i < count; i++) {
    colors[3 * i] = rgba[4 * i] ?? 0
    colors[3 * i + 1] = rgba[4 * i + 1] ?? 0
    colors[3 * i + 2] = rgba[4 * i + 2] ?? 0
    alpha[i] = rgba[4 * i + 3] ?? 255
  }
  return { colors, alpha }
}

function profileObject(doc: Document, icc: Buffer, channels: number, Alternate: string): Reference {
  const ref = doc.ref({ N: channels, Alternate, Filter: 'FlateDecode' })
  ref.end(deflateSync(icc))
  return ref
}

/** White wherever the picture is. */
export function whitePicture(doc: Document, { data }: Reference, white: Reference | undefined): Reference {
  const ref = doc.ref({
    ...{ Type: 'XObject', Subtype: 'Image', Width: 1, Height: 1, BitsPerComponent: 8 },
    ColorSpace: white,
    ...(data.SMask !== undefined && { SMask: data.SMask }),
  })
  ref.end(Buffer.from([255]))
  return ref
}
