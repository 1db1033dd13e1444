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

export function pictureObject(doc: Document, picture: PdfPicture): Reference {
  const { width: Width, height: Height } = picture
  const image = { Type: 'XObject', Subtype: 'Image', Width, Height, BitsPerComponent: 8 }
  if (picture.kind === 'jpeg') {
    const { bytes, channels, icc } = picture
    const device = channels === 1 ? 'DeviceGray' : 'DeviceRGB'
    const ColorSpace = icc ? ['ICCBased', profileObject(doc, icc, channels, device)] : device
    const ref = doc.ref({ ...image, ColorSpace, Filter: 'DCTDecode' })
    ref.end(Buffer.from(bytes))
    return ref
  }
  const { rgba, isSoft } = picture
  const count = Width * Height
  const rgb = Buffer.alloc(count * 3)
  const alpha = Buffer.alloc(count)
  let isOpaque = true
  for (let i = 0; i < count; i++) {
    rgb[3 * i] = rgba[4 * i] ?? 0
    rgb[3 * i + 1] = rgba[4 * i + 1] ?? 0
    rgb[3 * i + 2] = rgba[4 * i + 2] ?? 0
    alpha[i] = rgba[4 * i + 3] ?? 255
    isOpaque &&= alpha[i] === 255
  }
  const deflated = (data: Record<string, unknown>, bytes: Uint8Array) => {
    const ref = doc.ref({ ...image, ...data, ...(isSoft && { Interpolate: true }), Filter: 'FlateDecode' })
    ref.end(deflateSync(bytes, { level: 6 }))
    return ref
  }
  const mask = isOpaque ? {} : { SMask: deflated({ ColorSpace: 'DeviceGray' }, alpha) }
  return deflated({ ColorSpace: 'DeviceRGB', ...mask }, rgb)
}

function profileObject(doc: Document, icc: Buffer, channels: number, Alternate: string): Reference {
  const ref = doc.ref({ N: channels, Alternate, Filter: 'FlateDecode' })
  ref.end(deflateSync(icc))
  return ref
}
