// Refuses a PDF that does more than show pages. Runs in a thread of its own; the file itself is stored as it came.

import { FileRejected } from '../rejected.ts'
import { activeContent } from './active.ts'
import { isWhitespace } from './characters.ts'
import { type PdfObjects, pdfObjects } from './objects.ts'
import { PdfDict } from './values.ts'

/** Throws FileRejected for active content, attached files, encryption, a damaged file, or one that is two things at once. */
export function assertPassivePdf(content: Uint8Array): void {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  assertEnds(bytes)
  const objects = pdfObjects(bytes)
  assertDocument(objects)
  for (const dict of objects.dicts) {
    const reason = activeContent(dict, objects.resolve)
    if (reason) throw new FileRejected(`The PDF ${reason}.`)
  }
  // A stream may name a file elsewhere that holds its data.
  if (objects.streams.some(({ dict }) => dict.has('F')))
    throw new FileRejected('The PDF refers to another file.')
}

/** A whole file starts with its mark and ends with the other one, and nothing follows that another program would read. */
function assertEnds(bytes: Buffer): void {
  if (bytes.toString('latin1', 0, 5) !== '%PDF-') throw new FileRejected('The PDF does not start as one.')
  const end = bytes.lastIndexOf('%%EOF')
  if (end < 0 || !bytes.includes('startxref')) throw new FileRejected('The PDF is cut off.')
  if (!bytes.subarray(end + 5).every(isWhitespace))
    throw new FileRejected('The PDF is followed by something else.')
  if (endsAsZip(bytes)) throw new FileRejected('The PDF is an archive as well.')
}

/** An archive's directory is found from its end, which may lie before that of the PDF; what it says is not always minded. */
function endsAsZip(bytes: Buffer): boolean {
  return bytes.includes('PK\x05\x06', Math.max(0, bytes.length - 0xffff - 22))
}

function assertDocument({ dicts, trailers, resolve }: PdfObjects): void {
  if (dicts.some((dict) => dict.has('Encrypt'))) throw new FileRejected('The PDF is encrypted.')
  const roots = trailers.flatMap((trailer) => trailer.all('Root')).flatMap(resolve)
  const isWhole = roots.some(
    (root) => root instanceof PdfDict && root.all('Pages').some((pages) => resolve(pages).length > 0),
  )
  if (!isWhole) throw new FileRejected('The PDF is damaged.')
}
