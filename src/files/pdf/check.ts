// Refuses a PDF that does more than show pages. Runs in a thread of its own; the file itself is stored as it came.

import { FileRejected } from '../rejected.ts'
import { type PdfObjects, pdfObjects } from './objects.ts'
import { type PdfDict, type PdfValue, TEXT } from './reader.ts'

const ACTIONS = new Set(
  [
    'JavaScript',
    'Launch',
    'SubmitForm',
    'ImportData',
    'GoToE',
    'Rendition',
    'RichMediaExecute',
    'Sound',
    'Movie',
  ].map((name) => `/${name}`),
)
const CONTENTS = new Set(
  ['EmbeddedFile', 'FileAttachment', 'RichMedia', 'Movie', 'Sound', 'Screen', '3D'].map((name) => `/${name}`),
)
/** The events of an additional-actions dictionary; the same key in other places is a name like any other. */
const EVENTS = 'E X D U Fo Bl PO PC PV PI O C K F V WC WS DS WP DP'.split(' ')

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
  const tail = bytes.toString('latin1', end + 5)
  if (!/^[\s\0]*$/.test(tail)) throw new FileRejected('The PDF is followed by something else.')
  if (endsAsZip(bytes)) throw new FileRejected('The PDF is an archive as well.')
}

/** An archive's directory is found from its end, which may lie before that of the PDF. */
function endsAsZip(bytes: Buffer): boolean {
  return bytes.includes('PK\x05\x06\0\0\0\0', Math.max(0, bytes.length - 0xffff - 22))
}

function assertDocument({ trailers, streams, resolve }: PdfObjects): void {
  const encrypted = [...trailers, ...streams.map(({ dict }) => dict)].some((dict) => dict.has('Encrypt'))
  if (encrypted) throw new FileRejected('The PDF is encrypted.')
  const roots = trailers.flatMap((trailer) => resolve(trailer.get('Root')))
  const whole = roots.some((root) => root instanceof Map && resolve(root.get('Pages')).length > 0)
  if (!whole) throw new FileRejected('The PDF is damaged.')
}

/** What the dictionary would do, as the end of a sentence. */
function activeContent(dict: PdfDict, resolve: PdfObjects['resolve']): string | undefined {
  /** All that a key stands for; one that is given twice is read both ways. */
  const values = (of: PdfDict, key: string) => [key, `${key}\0`].flatMap((each) => resolve(of.get(each)))
  const holds = (key: string, test: (value: PdfValue) => boolean) => values(dict, key).some(test)
  const within = (names: ReadonlySet<string>) => (value: PdfValue) =>
    typeof value === 'string' && names.has(value)
  const isEvents = (value: PdfValue) =>
    isDict(value) &&
    EVENTS.some((event) => values(value, event).some((action) => isDict(action) && action.has('S')))
  const acts = (value: PdfValue) =>
    isDict(value) && (value.has('Next') || !values(value, 'S').every((name) => name === '/GoTo'))

  if (holds('S', within(ACTIONS)) || holds('JS', (value) => value === TEXT)) return 'runs actions or scripts'
  if (holds('Type', within(CONTENTS)) || holds('Subtype', within(CONTENTS))) return 'holds files or media'
  if (holds('EF', isFile) || holds('EmbeddedFiles', isNameTree)) return 'holds attached files'
  if (holds('JavaScript', isNameTree)) return 'runs scripts'
  if (holds('XFA', () => true)) return 'holds a dynamic form'
  if (holds('AA', isEvents)) return 'runs actions by itself'
  if (holds('OpenAction', acts)) return 'runs an action when it is opened'
  return undefined
}

function isDict(value: PdfValue): value is PdfDict {
  return value instanceof Map
}

function isNameTree(value: PdfValue): boolean {
  return isDict(value) && (value.has('Names') || value.has('Kids'))
}

/** The streams of an attached file, by the systems that they are for. */
function isFile(value: PdfValue): boolean {
  return isDict(value) && ['F', 'UF', 'DOS', 'Mac', 'Unix'].some((key) => value.has(key))
}
