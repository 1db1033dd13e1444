// Classes for the values of a PDF (PDF 32000-1 §7.3), as far as the checks read them.
import { FileRejected } from '../rejected.ts'

/** A parsed value. A name is a string with its slash; a string is a PdfString; a number not written in plain digits is NaN. */
export type PdfValue = null | boolean | number | string | PdfString | PdfReference | PdfValue[] | PdfDict

/** `PdfObjects.resolve`: all values that a value may stand for. */
export type Resolve = (value: PdfValue | undefined) => PdfValue[]

/** A reference such as `12 0 R` to the object with a number. Its generation is dropped: programs ignore it. */
export class PdfReference {
  readonly number: number

  constructor(number: number) {
    this.number = number
  }
}

/** Every key that a check reads. Values of other keys are dropped; dictionaries inside of them are recorded all the same. */
export const relevantKeys = new Set(
  [
    'S JS Type Subtype EF EmbeddedFiles JavaScript XFA AA OpenAction Next Names Kids Encrypt Root Pages',
    'URI Base F UF DOS Mac Unix N First W Index Size Length Filter DecodeParms DP FFilter FDecodeParms',
    'Predictor Columns Colors BitsPerComponent E D U Fo Bl PO PC PV PI O C K V WC WS DS WP',
  ].flatMap((names) => names.split(' ')),
)
/** Values that one key of a dictionary may have. */
const maxRepeats = 8

/** A dictionary with the relevant keys. Viewers disagree about which value of a duplicate key counts, so it has all of them. */
export class PdfDict {
  readonly entries: readonly [key: string, value: PdfValue][]

  /** Throws FileRejected if a key occurs more than 8 times. */
  constructor(pairs: readonly [key: string, value: PdfValue][]) {
    // A copy has no spare capacity, which would add up over millions of dictionaries.
    this.entries = pairs.slice()
    if (this.entries.length > maxRepeats && this.#mostRepeats() > maxRepeats)
      throw new FileRejected('The PDF is damaged.')
  }

  #mostRepeats(): number {
    const counts = new Map<string, number>()
    for (const [key] of this.entries) counts.set(key, (counts.get(key) ?? 0) + 1)
    return Math.max(...counts.values())
  }

  has(key: string): boolean {
    return this.entries.some(([name]) => name === key)
  }

  /** All values of a key, in the order of the file; references are not resolved. */
  all(key: string): PdfValue[] {
    return this.entries.flatMap(([name, value]) => (name === key ? [value] : []))
  }

  /** The first value of a key; undefined if there is none. */
  first(key: string): PdfValue | undefined {
    return this.entries.find(([name]) => name === key)?.[1]
  }

  /** Whether a key occurs more than once. */
  get hasRepeatedKeys(): boolean {
    return new Set(this.entries.map(([key]) => key)).size < this.entries.length
  }
}

/** What an escaped character stands for; one that is not here stands for itself, and a line end for nothing. */
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '' }

/** A string, decoded only on demand. */
export class PdfString {
  readonly #source: string

  /** @param source the string as in the file, with its brackets */
  constructor(source: string) {
    this.#source = source
  }

  /** The text, decoded by its byte order mark: UTF-16, UTF-8, or Latin-1 without one (close to PDFDocEncoding). */
  toString(): string {
    const source = this.#source.slice(1, -1)
    const bytes = Buffer.from(this.#source.startsWith('<') ? fromHex(source) : unescaped(source), 'latin1')
    if (bytes[0] === 0xfe && bytes[1] === 0xff)
      return bytes
        .subarray(2, bytes.length & ~1)
        .swap16()
        .toString('utf16le')
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3)
    return bytes.toString('latin1')
  }
}

function fromHex(source: string): string {
  const digits = source.replace(/[^\da-f]/gi, '')
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex').toString('latin1')
}

/** The bytes of a literal string: octal codes and escapes decoded (PDF 32000-1 §7.3.4.2). */
function unescaped(source: string): string {
  return source.replace(/\\([0-7]{1,3}|\r\n|[\s\S])/g, (_, escaped: string) =>
    /^[0-7]/.test(escaped)
      ? String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
      : (escapes[escaped.replace(/\r\n?/, '\n')] ?? escaped),
  )
}
