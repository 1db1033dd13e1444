// What a file is that others stored without our checks: its type and size, from its first bytes alone.
import { fileTypes, type TypeFor } from './file-types.ts'
import { assetTypeByName, sniff } from './sniff.ts'
import { findRoot } from './svg/root.ts'
import { drawingSize } from './svg/size.ts'
import { decodeXml } from './svg/xml-text.ts'

/** As many first bytes as are worth reading. */
export const probeBytes = 64 * 1024

export interface Probe {
  mimeType: string
  /** Pixels; null where they cannot be told. */
  width: number | null
  height: number | null
}

/** Undefined for a file that is no asset, or not what its name says. Never throws. */
export async function probe(name: string, head: Uint8Array): Promise<Probe | undefined> {
  try {
    const type = assetTypeByName(name)
    if (sniff(head) !== type) return undefined
    return { mimeType: fileTypes[type].mimeType, ...(await sizeOf(type, head)) }
  } catch {
    return undefined
  }
}

async function sizeOf(type: TypeFor<'asset'>, head: Uint8Array): Promise<Pick<Probe, 'width' | 'height'>> {
  const unknown = { width: null, height: null }
  if (type === 'pdf') return unknown
  if (type === 'svg')
    return drawingSize(findRoot(decodeXml(Buffer.from(head), { cut: true }))?.attributes() ?? new Map())
  // The first chunk of a PNG file begins with its size.
  if (type === 'png') {
    const header = Buffer.from(head)
    return header.length < 24 ? unknown : { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
  }
  const { default: sharp } = await import('sharp')
  return sharp(head, { failOn: 'none', limitInputPixels: false })
    .metadata()
    .then(
      ({ autoOrient }) => ({ width: autoOrient.width, height: autoOrient.height }),
      () => unknown,
    )
}
