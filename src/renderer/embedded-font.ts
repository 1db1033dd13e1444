// Embeds a font in a PDF under a safe name. PDFKit writes a font's PostScript name unchanged into the file and distinguishes fonts by
// it, but customers can upload any font: so PDFKit gets the font without its names, and a plain name is set in their place.
import type { Face } from './face.ts'
import type { Document } from './pdf-document.ts'

/** A name without characters that PDF interprets, of a length that every program reads (PDF 32000-1 annex C, Adobe TN 5902). */
const plainSyntax = /^[A-Za-z0-9-]{1,63}$/

/** The font's PostScript name if it is plain, else the family's name without other characters. */
function plainName({ name, postscriptName }: Pick<Face, 'name' | 'postscriptName'>): string {
  if (plainSyntax.test(postscriptName)) return postscriptName
  return name.replaceAll(/[^A-Za-z0-9-]/g, '').slice(0, 63) || 'Font'
}

/** The font file with its `name` table under a tag that no program reads. */
function nameless(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes)
  for (let entry = 12; entry < 12 + 16 * copy.readUInt16BE(4); entry += 16)
    if (copy.toString('latin1', entry, entry + 4) === 'name') copy.write('none', entry, 'latin1')
  return copy
}

/** Registers the font with the document under the key of its face, and selects it. */
export function embedFont(doc: Document, face: Face): void {
  doc.registerFont(face.key, nameless(face.embedded()))
  doc.font(face.key)
  Object.defineProperty(doc._font.font, 'postscriptName', { value: plainName(face) })
}
