// From the bytes of an XML file to its text: byte order mark, declared encoding, and nothing guessed.
import { FileRejected } from '../rejected.ts'

/** Encodings in which drawing programs write; every other one is refused rather than guessed. */
const supportedEncodings =
  /^(?:utf-?8|latin1|iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|shift_jis|euc-(?:jp|kr)|gbk|gb2312|big5)$/
/** Programs that say so mean that they are careful, and write UTF-8. */
const asciiNames = /^(?:us-)?ascii$/

const byteOrderMarks = [
  ['utf-8', '\xef\xbb\xbf'],
  ['utf-16le', '\xff\xfe'],
  ['utf-16be', '\xfe\xff'],
] as const

/** Whether the bytes start as an XML text does, in any encoding that `decodeXml` takes. */
export function isXmlText(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 4)
  return byteOrderMarks.some(([, mark]) => start.startsWith(mark)) || /^\s*(?:<|$)/.test(start)
}

/**
 * Decodes an XML file. A `cut` text may end within a letter.
 * Throws FileRejected when the encoding is unknown, contradicts the bytes, or a byte sequence is invalid.
 */
export function decodeXml(bytes: Buffer, { cut = false } = {}): string {
  const start = bytes.toString('latin1', 0, 256)
  const marked = byteOrderMarks.find(([, mark]) => start.startsWith(mark))?.[0]
  const encoding = marked ?? declaredEncoding(start)
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: !cut }).decode(bytes, { stream: cut })
  } catch {
    throw new FileRejected(`The drawing is not valid ${encoding.toUpperCase()} text.`)
  }
  return text
}

function declaredEncoding(start: string): string {
  const declared = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1]
  if (declared === undefined) return 'utf-8'
  const name = declared.toLowerCase()
  if (asciiNames.test(name)) return 'utf-8'
  if (!supportedEncodings.test(name))
    throw new FileRejected('The text encoding that the drawing declares is not supported.')
  return name
}

/** The text without what stands between the marks, in one pass; undefined when an opening mark has no end. */
export function withoutDelimited(text: string, open: string, close: string): string | undefined {
  let kept = ''
  let at = 0
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start + open.length)
    if (end < 0) return undefined
    kept += text.slice(at, start)
    at = end + close.length
  }
  return kept + text.slice(at)
}

const pictureStart = 'base64,'

/** How long the text of a drawing is without the pictures that it carries, each of which ends with a quotation mark. */
export function lengthWithoutPictures(xml: string): number {
  let length = xml.length
  const next = { '"': 0, "'": 0 }
  /** Looks no part of the text through twice, also when the mark is not there. */
  const find = (mark: keyof typeof next, from: number) => {
    if (next[mark] < from) next[mark] = xml.indexOf(mark, from)
    if (next[mark] < 0) next[mark] = xml.length
    return next[mark]
  }
  for (let start = xml.indexOf(pictureStart); start >= 0; ) {
    const end = Math.min(find('"', start), find("'", start))
    length -= end - start
    start = xml.indexOf(pictureStart, end)
  }
  return length
}
