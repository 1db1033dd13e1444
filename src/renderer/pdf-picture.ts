// Writes pictures as objects of a PDF: JPEGs and rows of PNGs unchanged, others as deflated pixels with a mask.
import { deflateSync } from 'node:zlib'
import { identity, type Matrix, multiply, type Rectangle } from './matrix.ts'
import { decimal } from './outline.ts'
import { added, type Document, type PdfObject } from './pdf-document.ts'
import { pdfForm } from './pdf-form.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import type { PngRows } from './picture-files.ts'

/** A picture as a PDF embeds it (picture-for-pdf.ts). */
export type PdfPicture =
  /** A JPEG file. */
  | {
      kind: 'jpeg'
      bytes: Uint8Array
      width: number
      height: number
      channels: number
      icc: Buffer | undefined
      /** As in Exif; width and height are those of the upright picture. */
      orientation: number
    }
  /** The deflated rows of a PNG file. */
  | ({ kind: 'png'; width: number; height: number } & PngRows)
  /** Pixels in RGB with transparency. */
  | {
      kind: 'pixels'
      rgba: Uint8Array
      width: number
      height: number
      /** Without edges between its pixels, such as a shadow. */
      isSoft?: boolean
      /** All colors are gray. */
      isGray?: boolean
    }
  /** A page of a customer's PDF as vectors. */
  | { kind: 'page'; pdf: PrintedPdf }
  /** Pixels in the inks of a press. */
  | { kind: 'inks'; inks: Uint8Array; alpha: Uint8Array; width: number; height: number; isSoft?: boolean }

/** Adds a picture to the document as the object that pages show. */
export function pictureObject(doc: Document, picture: PdfPicture): PdfObject {
  if (picture.kind === 'page') return pdfForm(doc, picture.pdf)
  const isTurned = picture.kind === 'jpeg' && picture.orientation > 4
  const [Width, Height] = isTurned ? [picture.height, picture.width] : [picture.width, picture.height]
  const image = { Type: 'XObject', Subtype: 'Image', Width, Height, BitsPerComponent: 8 }
  if (picture.kind === 'jpeg') return jpegObject(doc, picture, image)
  if (picture.kind === 'png') return pngObject(doc, picture, image)
  const deflated = (data: Record<string, unknown>, bytes: Uint8Array) => {
    const Interpolate = picture.isSoft && { Interpolate: true }
    const entries = { ...image, ...data, ...Interpolate, Filter: 'FlateDecode' }
    return added(doc, entries, deflateSync(bytes))
  }
  const { colors, alpha, ColorSpace } =
    picture.kind === 'inks'
      ? { colors: picture.inks, alpha: picture.alpha, ColorSpace: 'DeviceCMYK' }
      : picture.isGray
        ? { ...colorsAndAlpha(picture.rgba, 1), ColorSpace: 'DeviceGray' }
        : { ...colorsAndAlpha(picture.rgba, 3), ColorSpace: 'DeviceRGB' }
  const isOpaque = alpha.every((value) => value === 255)
  const mask = isOpaque ? {} : { SMask: deflated({ ColorSpace: 'DeviceGray' }, alpha) }
  return deflated({ ColorSpace, ...mask }, colors)
}

/** A JPEG with its bytes unchanged. @param image the entries that all pictures have */
function jpegObject(
  doc: Document,
  { bytes, channels, icc }: Extract<PdfPicture, { kind: 'jpeg' }>,
  image: Record<string, unknown>,
): PdfObject {
  const device = channels === 1 ? 'DeviceGray' : channels === 4 ? 'DeviceCMYK' : 'DeviceRGB'
  const profile = { N: channels, Alternate: device, Filter: 'FlateDecode' }
  const ColorSpace = icc ? ['ICCBased', added(doc, profile, deflateSync(icc))] : device
  // Programs that write JPEGs of four inks invert them.
  const Decode = channels === 4 ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}
  return added(doc, { ...image, ColorSpace, ...Decode, Filter: 'DCTDecode' }, Buffer.from(bytes))
}

/** A PNG with its deflated rows unchanged. @param image the entries that all pictures have */
function pngObject(
  doc: Document,
  { data, colors, palette, width: Columns }: Extract<PdfPicture, { kind: 'png' }>,
  image: Record<string, unknown>,
): PdfObject {
  const ColorSpace = palette
    ? ['Indexed', 'DeviceRGB', Math.floor(palette.length / 3) - 1, added(doc, {}, palette)]
    : `Device${colors === 3 ? 'RGB' : 'Gray'}`
  const DecodeParms = { Predictor: 15, Colors: colors, BitsPerComponent: 8, Columns }
  return added(doc, { ...image, ColorSpace, Filter: 'FlateDecode', DecodeParms }, data)
}

/** By Exif orientation, from 1 on: from the unit square of the stored picture to that of the upright one, both measured downwards. */
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

/**
 * The matrix that places a picture object: from the unit square of a PDF, which is measured upwards (for a page of a customer's PDF:
 * from its area), to a rectangle in which the picture is upright.
 */
export function pictureMatrix(picture: PdfPicture, { x, y, width, height }: Rectangle): Matrix {
  if (picture.kind === 'page') {
    const { page } = picture.pdf
    return multiply([width, 0, 0, height, x, y], [1 / page.width, 0, 0, -1 / page.height, 0, 1])
  }
  const turn = turns[picture.kind === 'jpeg' ? picture.orientation - 1 : 0] ?? identity
  return multiply([width, 0, 0, height, x, y], multiply(turn, [1, 0, 0, -1, 0, 1]))
}

/** Separates pixels into colors and transparency. @param channels of the colors: 1 takes red as gray */
function colorsAndAlpha(rgba: Uint8Array, channels: 1 | 3): { colors: Uint8Array; alpha: Uint8Array } {
  const count = rgba.length / 4
  const colors = Buffer.alloc(count * channels)
  const alpha = Buffer.alloc(count)
  for (let i = 0; i < count; i++) {
    for (let channel = 0; channel < channels; channel++)
      colors[channels * i + channel] = rgba[4 * i + channel] ?? 0
    alpha[i] = rgba[4 * i + 3] ?? 255
  }
  return { colors, alpha }
}

/**
 * Adds an object that paints white ink wherever the picture is opaque.
 * @param colored the object of the picture in its own colors
 * @param white the color space of the white ink
 */
export function whitePicture(
  doc: Document,
  picture: PdfPicture,
  colored: PdfObject,
  white: PdfObject | undefined,
): PdfObject {
  if (picture.kind === 'page') return whiteForm(doc, picture.pdf.page, colored, white)
  const image = {
    Type: 'XObject',
    Subtype: 'Image',
    Width: 1,
    Height: 1,
    BitsPerComponent: 8,
    ColorSpace: white,
    ...(colored.data.SMask !== undefined && { SMask: colored.data.SMask }),
  }
  return added(doc, image, Buffer.from([255]))
}

/** A white rectangle behind the transparency of a page of a customer's PDF as a mask (PDF 32000-1 §11.6.5.3). */
function whiteForm(
  doc: Document,
  { width, height }: { width: number; height: number },
  colored: PdfObject,
  white: PdfObject | undefined,
): PdfObject {
  const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, width, height] }
  const Group = { Type: 'Group', S: 'Transparency', CS: 'DeviceGray' }
  const group = added(doc, { ...form, Group, Resources: { XObject: { Shown: colored } } }, '/Shown Do')
  const SMask = { Type: 'Mask', S: 'Alpha', G: group }
  const Resources = { ColorSpace: { White: white }, ExtGState: { Mask: { Type: 'ExtGState', SMask } } }
  const area = `0 0 ${decimal(width, 6)} ${decimal(height, 6)} re f`
  return added(doc, { ...form, Resources }, `/White cs 1 scn /Mask gs ${area}`)
}
