// Parses PDF values (PDF 32000-1 §7.3: numbers, names, strings, arrays, dictionaries, references) in bounded depth and time.
// Ambiguous syntax is rejected: active content could hide where programs disagree.
import { FileRejected } from '../rejected.ts'
import {
  endsToken,
  isControl,
  isDigit,
  isHexadecimal,
  isLineEnd,
  isNumeric,
  isWhitespace,
} from './characters.ts'
import { PdfDict, PdfReference, PdfString, type PdfValue, relevantKeys } from './values.ts'

const maxDepth = 100
/** This many characters cost as much as one value: objects may overlap, so that characters are read many times. */
const charactersPerValue = 64
/** The additional cost of a dictionary, for the memory that it takes. */
const dictCost = 4
/** The largest object number that programs support. */
const maxObjectNumber = 0x7fffffff

/** The state that all readers of a file share. */
export interface ParseState {
  /** How many more values may be read. */
  values: number
  /** Every dictionary that was read, at any depth. */
  dicts: PdfDict[]
}

/** Subtracts values from those that may still be read. @throws FileRejected if there are not so many */
export function spend(state: ParseState, values: number): void {
  state.values -= values
  if (state.values < 0) throw new FileRejected('The PDF has too many objects to check.')
}

/** The same for characters that were read. */
export function spendCharacters(state: ParseState, characters: number): void {
  spend(state, characters / charactersPerValue)
}

/** The offsets at which a keyword occurs, even within another word, a comment or a stream. */
export function* occurrences(source: string, keyword: string): Generator<number> {
  for (let at = source.indexOf(keyword); at >= 0; at = source.indexOf(keyword, at + 1)) yield at
}

/** The error for syntax that is invalid, or that programs read in different ways. */
export function damagedPdf(): FileRejected {
  return new FileRejected('The PDF is damaged.')
}

/** Parses an object number in plain digits. Throws FileRejected for a number that overflows in some programs. */
export function objectNumber(digits: string): number {
  const number = Number(digits)
  if (number > maxObjectNumber) throw damagedPdf()
  return number
}

/** Reads values one after the other from a position of the source. */
export class PdfReader {
  /** The position of the next character. */
  position: number
  readonly #source: string
  readonly #state: ParseState
  readonly #dictOffsets: Set<number> | undefined

  /**
   * @param source the file or a decoded stream, as Latin-1
   * @param dictOffsets collects the offsets of the dictionaries that are read
   */
  constructor(source: string, position: number, state: ParseState, dictOffsets?: Set<number>) {
    this.#source = source
    this.position = position
    this.#state = state
    this.#dictOffsets = dictOffsets
  }

  /** The next value; undefined at the end of the file or at a closing bracket. */
  value(depth = 0): PdfValue | undefined {
    spend(this.#state, 1)
    if (depth > maxDepth) throw new FileRejected('The PDF is too deeply nested.')
    this.skipSpace()
    const start = this.#source[this.position]
    if (start === '/') return this.#name()
    if (start === '(') return this.#literal()
    if (start === '[') return this.#array(depth)
    if (start === '<')
      return this.#source[this.position + 1] === '<' ? this.#dict(depth) : this.#hexadecimal()
    if (start === undefined || start === ']' || start === '>') return undefined
    return isNumeric(this.#source.charCodeAt(this.position)) ? this.#number(depth) : this.#keyword(depth)
  }

  /** Whether the keyword comes next; if so, it is skipped. */
  skipKeyword(keyword: string): boolean {
    this.skipSpace()
    const isNext = this.#source.startsWith(keyword, this.position)
    if (isNext) this.position += keyword.length
    return isNext
  }

  /** Skips whitespace and comments. */
  skipSpace(): void {
    const from = this.position
    for (;;) {
      while (isWhitespace(this.#source.charCodeAt(this.position))) this.position++
      if (this.#source[this.position] !== '%') break
      while (this.position < this.#source.length && !isLineEnd(this.#source.charCodeAt(this.position)))
        this.position++
    }
    this.#charge(from)
  }

  /** Spends the characters from `from` to the position. */
  #charge(from: number): void {
    spendCharacters(this.#state, this.position - from)
  }

  /** The characters up to the next whitespace or delimiter. */
  #run(): string {
    const from = this.position
    let code = this.#source.charCodeAt(this.position)
    for (; !endsToken(code); code = this.#source.charCodeAt(++this.position))
      if (isControl(code)) throw damagedPdf()
    this.#charge(from)
    return this.#source.slice(from, this.position)
  }

  /** A name with its slash, `#` escapes decoded. */
  #name(): string {
    this.position++
    const name = this.#run()
    const plain = name.includes('#')
      ? name.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : name
    // Some programs end a name at a NUL character, others do not.
    if (plain.includes('\0')) throw new FileRejected('The PDF contains a name with a NUL character.')
    return `/${plain}`
  }

  /** A string in parentheses, which may contain balanced ones. */
  #literal(): PdfString {
    const from = this.position
    let open = 0
    for (; this.position < this.#source.length; this.position++) {
      const code = this.#source.charCodeAt(this.position)
      if (code === 0x5c) this.position++
      else if (code === 0x28) open++
      else if (code === 0x29 && --open === 0) break
    }
    this.position++
    this.#charge(from)
    if (this.position > this.#source.length) throw damagedPdf()
    return new PdfString(this.#source.slice(from, this.position))
  }

  /** A string of hexadecimal digits in angle brackets. */
  #hexadecimal(): PdfString {
    const from = this.position++
    while (isHexadecimal(this.#source.charCodeAt(this.position))) this.position++
    this.#charge(from)
    if (this.#source[this.position++] !== '>') throw damagedPdf()
    return new PdfString(this.#source.slice(from, this.position))
  }

  /** A number, or a reference such as `12 0 R`. A number that is not written in plain digits is NaN: no check needs it. */
  #number(depth: number): number | PdfReference {
    const digits = this.#run()
    // Some programs write lengths, which are objects of their own, without whitespace at their end.
    if (depth === 0 && /^\d+endobj$/.test(digits)) {
      this.position -= 'endobj'.length
      return Number.parseInt(digits, 10)
    }
    if (/\D/.test(digits)) {
      // Without any digit it is not a number to some programs, and letters in it may be a keyword.
      if (/[^\d+.-]/.test(digits) || !/\d/.test(digits)) throw damagedPdf()
      return Number.NaN
    }
    const end = this.position
    if (this.#skipGeneration()) {
      this.skipSpace()
      if (this.#source[this.position] === 'R' && endsToken(this.#source.charCodeAt(this.position + 1))) {
        this.position++
        return new PdfReference(objectNumber(digits))
      }
    }
    this.position = end
    return Number(digits)
  }

  /** Skips digits, the generation number of a reference, which the `R` may follow directly. False if there are none. */
  #skipGeneration(): boolean {
    this.skipSpace()
    const from = this.position
    while (isDigit(this.#source.charCodeAt(this.position))) this.position++
    this.#charge(from)
    return this.position > from
  }

  /**
   * true, false or null. Outside of arrays and dictionaries any other keyword is skipped and counts as null; inside it is damaged,
   * since programs disagree about a stray keyword, such as the `R` of a malformed reference.
   */
  #keyword(depth: number): PdfValue {
    const keyword = this.#run()
    if (keyword === '') {
      if (depth > 0) throw damagedPdf()
      this.position++
    }
    if (depth > 0 && keyword !== 'true' && keyword !== 'false' && keyword !== 'null') throw damagedPdf()
    if (keyword === 'true') return true
    return keyword === 'false' ? false : null
  }

  #array(depth: number): PdfValue[] {
    const values: PdfValue[] = []
    this.position++
    for (let next = this.value(depth + 1); next !== undefined; next = this.value(depth + 1)) values.push(next)
    this.#close(']')
    return values
  }

  /** Parses a dictionary and stores only the keys that the checks read. It is recorded in the shared state unless it is empty. */
  #dict(depth: number): PdfDict {
    const pairs: [string, PdfValue][] = []
    this.#dictOffsets?.add(this.position)
    this.position += 2
    for (let key = this.value(depth + 1); key !== undefined; key = this.value(depth + 1)) {
      const value = this.value(depth + 1)
      if (typeof key !== 'string' || value === undefined) throw damagedPdf()
      const name = key.slice(1)
      if (relevantKeys.has(name)) pairs.push([name, value])
    }
    this.#close('>>')
    const dict = new PdfDict(pairs)
    if (pairs.length > 0) {
      spend(this.#state, dictCost)
      this.#state.dicts.push(dict)
    }
    return dict
  }

  #close(bracket: string): void {
    if (!this.#source.startsWith(bracket, this.position)) throw damagedPdf()
    this.position += bracket.length
  }
}
