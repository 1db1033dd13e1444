// Rejects a PDF that does more than display pages. Runs in a child process; the file itself is stored unchanged.

import { FileRejected } from '../rejected.ts'
import { activeContent } from './active.ts'
import { isWhitespace } from './characters.ts'
import { assertNotEncrypted, type PdfObjects, pdfObjects } from './objects.ts'
import { PdfDict } from './values.ts'

/** Throws FileRejected for active content, attached files, encryption, a damaged file, or one that is also a ZIP archive. */
export function assertPassivePdf(content: Uint8Array): void {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  assertEnds(bytes)
  const objects = pdfObjects(bytes)
  assertDocument(objects)
  for (const dict of objects.dicts) {
    const reason = activeContent(dict, objects.resolve)
    if (reason) throw new FileRejected(`The PDF ${reason}.`)
  }
  // A stream may name an external file that contains its data.
  if (objects.streams.some(({ dict }) => dict.has('F')))
    throw new FileRejected('The PDF references an external file.')
}

/** Throws FileRejected unless the file starts with `%PDF-` and ends with `%%EOF`, without data after it that another program would read. */
function assertEnds(bytes: Buffer): void {
  if (bytes.toString('latin1', 0, 5) !== '%PDF-')
    throw new FileRejected('The PDF does not start with a PDF header.')
  const end = bytes.lastIndexOf('%%EOF')
  if (end < 0 || !bytes.includes('startxref')) throw new FileRejected('The PDF is truncated.')
  if (!bytes.subarray(end + 5).every(isWhitespace))
    throw new FileRejected('The PDF contains data after its end.')
  // Programs find the directory of a ZIP archive by searching backwards from the end, and some ignore the sizes in it.
  if (bytes.includes('PK\x05\x06', Math.max(0, bytes.length - 0xffff - 22)))
    throw new FileRejected('The PDF is also a ZIP archive.')
}

/** Throws FileRejected unless the document is not encrypted and has a root with pages. */
function assertDocument({ dicts, trailers, resolve }: PdfObjects): void {
  assertNotEncrypted(dicts)
  const roots = trailers.flatMap((trailer) => trailer.all('Root')).flatMap(resolve)
  const hasPages = roots.some(
    (root) => root instanceof PdfDict && root.all('Pages').some((pages) => resolve(pages).length > 0),
  )
  if (!hasPages) throw new FileRejected('The PDF is damaged.')
}
