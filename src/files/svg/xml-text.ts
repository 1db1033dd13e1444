// Decodes the bytes of an XML file by its byte order mark or declared encoding, and finds sections of its text.
import { FileRejected } from '../rejected.ts'

/** Encodings that drawing programs write; any other is rejected. */
const supportedEncodings =
  /^(?:utf-?8|latin1|iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|shift_jis|euc-(?:jp|kr)|gbk|gb2312|big5)$/
/** Files that declare ASCII are read as UTF-8, which some programs write all the same. */
const asciiNames = /^(?:us-)?ascii$/

const byteOrderMarks = [
  ['utf-8', '\xef\xbb\xbf'],
  ['utf-16le', '\xff\xfe'],
  ['utf-16be', '\xfe\xff'],
] as const

/** Whether the bytes start like an XML document, in any encoding that `decodeXml` supports. */
export function isXmlText(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 4)
  return byteOrderMarks.some(([, mark]) => start.startsWith(mark)) || /^\s*(?:<|$)/.test(start)
}

/**
 * Decodes an XML file. With `cut` it may end in the middle of a character.
 * Throws FileRejected if the encoding is unknown or contradicts the bytes, or if a byte sequence is invalid.
 */
export function decodeXml(bytes: Buffer, { cut = false } = {}): string {
  const start = bytes.toString('latin1', 0, 256)
  const encodingOfMark = byteOrderMarks.find(([, mark]) => start.startsWith(mark))?.[0]
  const encoding = encodingOfMark ?? declaredEncoding(start)
  try {
    return new TextDecoder(encoding, { fatal: !cut }).decode(bytes, { stream: cut })
  } catch {
    throw new FileRejected(`The drawing is not valid ${encoding.toUpperCase()}.`)
  }
}

/** The encoding in the XML declaration; UTF-8 without one. @throws FileRejected for an unsupported one */
function declaredEncoding(start: string): string {
  const declared = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1]
  if (declared === undefined) return 'utf-8'
  const name = declared.toLowerCase()
  if (asciiNames.test(name)) return 'utf-8'
  if (!supportedEncodings.test(name))
    throw new FileRejected('The drawing declares a character encoding that is not supported.')
  return name
}

/** The string without the sections from `open` to `close`, in one pass; undefined if a section is not closed. */
export function withoutDelimited(text: string, open: string, close: string): string | undefined {
  let result = ''
  let position = 0
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, position)) {
    const end = text.indexOf(close, start + open.length)
    if (end < 0) return undefined
    result += text.slice(position, start)
    position = end + close.length
  }
  return result + text.slice(position)
}

const pictureStart = 'base64,'

/** The length of a drawing without its embedded pictures, each of which ends with a quotation mark. */
export function lengthWithoutPictures(xml: string): number {
  let length = xml.length
  /** The next quotation mark of each kind that was found. Searches no part of the drawing twice, even if one does not occur. */
  const next = { '"': 0, "'": 0 }
  const find = (quote: keyof typeof next, from: number) => {
    if (next[quote] < from) next[quote] = xml.indexOf(quote, from)
    if (next[quote] < 0) next[quote] = xml.length
    return next[quote]
  }
  for (let start = xml.indexOf(pictureStart); start >= 0; ) {
    const end = Math.min(find('"', start), find("'", start))
    length -= end - start
    start = xml.indexOf(pictureStart, end)
  }
  return length
}
