// Pictures as objects of a PDF: JPEG unchanged, all others as deflated pixels with a mask.
import { deflateSync } from 'node:zlib'
import type { Document, Reference } from './pdf-document.ts'

/** Of a picture, ready to be put into the file. */
export type PdfPicture =
  | {
      kind: 'jpeg'
      bytes: Uint8Array
      width: number
      height: number
      channels: number
      icc: Buffer | undefined
    }
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
  const { width: Width, height: Height } = picture
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
