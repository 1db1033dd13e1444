// A font as PDFKit embeds it. PDFKit writes its PostScript name as it is into the file, and keeps fonts apart by it, while anybody
// can write a font: so PDFKit gets the font without its names, and a plain name is set in their place.
import type { Face } from './face.ts'
import type { Document } from './pdf-document.ts'

/** Characters of a name that mean nothing to PDF, and as many as every program reads (PDF 32000-1 annex C, Adobe TN 5902). */
const plain = /^[A-Za-z0-9-]{1,63}$/

/** The font's PostScript name if it is plain, else the family's name without what a name cannot hold. */
function plainName({ name, postscriptName }: Pick<Face, 'name' | 'postscriptName'>): string {
  if (plain.test(postscriptName)) return postscriptName
  return name.replaceAll(/[^A-Za-z0-9-]/g, '').slice(0, 63) || 'Font'
}

/** The font file without its table of names. */
function nameless(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = 12; at < 12 + 16 * copy.readUInt16BE(4); at += 16)
    if (copy.toString('latin1', at, at + 4) === 'name') copy.write('none', at, 'latin1')
  return copy
}

/** Makes the font known to the document under the key of its face. */
export function embedFont(doc: Document, face: Face): void {
  doc.registerFont(face.key, nameless(face.embedded()))
  doc.font(face.key)
  Object.defineProperty(doc._font.font, 'postscriptName', { value: plainName(face) })
}
