// The values of a PDF, as far as they matter to the checks.
import { FileRejected } from '../rejected.ts'

/** A name is a string that keeps its slash. A number that is not written in plain digits is NaN. */
export type PdfValue = null | boolean | number | string | PdfString | PdfReference | PdfValue[] | PdfDict

export class PdfReference {
  readonly number: number

  constructor(number: number) {
    this.number = number
  }
}

/** Every key that a check reads. Of other keys only nested dictionaries are kept. */
export const relevantKeys = new Set(
  [
    'S JS Type Subtype EF EmbeddedFiles JavaScript XFA AA OpenAction Next Names Kids Encrypt Root Pages',
    'URI Base F UF DOS Mac Unix N First W Index Size Length Filter DecodeParms DP FFilter FDecodeParms',
    'Predictor Columns Colors BitsPerComponent E D U Fo Bl PO PC PV PI O C K V WC WS DS WP',
  ].flatMap((names) => names.split(' ')),
)
const maxRepeats = 8

/** A dictionary. Viewers disagree about which value of a duplicate key counts, so all are kept. */
export class PdfDict {
  readonly entries: readonly [key: string, value: PdfValue][]

  /** Throws FileRejected if a key occurs more than 8 times. */
  constructor(pairs: readonly [key: string, value: PdfValue][]) {
    // A copy has no spare capacity, which would add up over millions of dictionaries.
    this.entries = pairs.slice()
    if (this.entries.length > maxRepeats && this.#isRepeated()) throw new FileRejected('The PDF is damaged.')
  }

  #isRepeated(): boolean {
    const counts = new Map<string, number>()
    for (const [key] of this.entries) counts.set(key, (counts.get(key) ?? 0) + 1)
    return Math.max(...counts.values()) > maxRepeats
  }

  has(key: string): boolean {
    return this.entries.some(([name]) => name === key)
  }

  all(key: string): PdfValue[] {
    return this.entries.flatMap(([name, value]) => (name === key ? [value] : []))
  }

  /** The first value of a key; undefined if there is none. */
  only(key: string): PdfValue | undefined {
    return this.entries.find(([name]) => name === key)?.[1]
  }

  get repeats(): boolean {
    return new Set(this.entries.map(([key]) => key)).size < this.entries.length
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '' }

/** A string, decoded only on demand. */
export class PdfString {
  readonly #source: string

  /** @param source the string as in the file, with its brackets */
  constructor(source: string) {
    this.#source = source
  }

  /** All of it: padding of any length may precede the part that matters. */
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

function unescaped(source: string): string {
  return source.replace(/\\([0-7]{1,3}|\r\n|[\s\S])/g, (_, escaped: string) =>
    /^[0-7]/.test(escaped)
      ? String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
      : (escapes[escaped.replace(/\r\n?/, '\n')] ?? escaped),
  )
}
