// Detects the type and size of a file that another program stored in the uploads folder, from its first bytes alone.
import { requireBeside } from '../core/installed.ts'
import { fileTypes, type TypeFor } from './file-types.ts'
import { assetTypeByName, sniff } from './sniff.ts'
import { findRoot } from './svg/root.ts'
import { drawingSize } from './svg/size.ts'
import { decodeXml } from './svg/xml-text.ts'

/** How many bytes to read from the start of a file for `probe`. */
export const probeBytes = 64 * 1024

interface Probe {
  mimeType: string
  /** Pixels; null if unknown. */
  width: number | null
  height: number | null
}

/**
 * Probes a file when it becomes an asset. Returns undefined for a file that is not an asset, or whose content does not match its
 * name. Never throws.
 * @param head the first `probeBytes` bytes
 */
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
  // The first chunk of a PNG file starts with its size.
  if (type === 'png') {
    const header = Buffer.from(head)
    return header.length < 24 ? unknown : { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
  }
  const sharp: typeof import('sharp').default = requireBeside(import.meta.url)('sharp')
  return sharp(head, { failOn: 'none', limitInputPixels: false })
    .metadata()
    .then(
      ({ autoOrient }) => ({ width: autoOrient.width, height: autoOrient.height }),
      () => unknown,
    )
}
