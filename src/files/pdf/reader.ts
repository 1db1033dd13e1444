// Parses PDF values (numbers, names, strings, arrays, dictionaries, references) in bounded depth and time. Ambiguous syntax is
// rejected: active content could hide where programs disagree.
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
// This many characters cost as much as one value: objects may overlap, so that characters are read many times.
const charactersPerValue = 64
/** The additional cost of a dictionary, for the memory that it takes. */
const dictCost = 4
/** The largest object number that programs support. */
const maxObjectNumber = 0x7fffffff

/** What all readers of a file share. */
export interface ParseState {
  /** How many more values may be read. */
  values: number
  /** Every dictionary that was read, at any depth. */
  dicts: PdfDict[]
}

export function spend(state: ParseState, values: number): void {
  state.values -= values
  if (state.values < 0) throw new FileRejected('The PDF has too many objects to check.')
}

export function spendCharacters(state: ParseState, characters: number): void {
  spend(state, characters / charactersPerValue)
}

export function damaged(): FileRejected {
  return new FileRejected('The PDF is damaged.')
}

/** Parses an object number in plain digits. Throws FileRejected for a number that overflows in some programs. */
export function objectNumber(digits: string): number {
  const number = Number(digits)
  if (number > maxObjectNumber) throw damaged()
  return number
}

export class PdfReader {
  at: number
  readonly #source: string
  readonly #state: ParseState
  readonly #starts: Set<number> | undefined

  /** @param starts collects the offsets of dictionaries */
  constructor(source: string, at: number, state: ParseState, starts?: Set<number>) {
    this.#source = source
    this.at = at
    this.#state = state
    this.#starts = starts
  }

  /** The next value; undefined at the end of the file or at a closing bracket. */
  value(depth = 0): PdfValue | undefined {
    spend(this.#state, 1)
    if (depth > maxDepth) throw new FileRejected('The PDF is too deeply nested.')
    this.skipSpace()
    const start = this.#source[this.at]
    if (start === '/') return this.#name()
    if (start === '(') return this.#literal()
    if (start === '[') return this.#array(depth)
    if (start === '<') return this.#source[this.at + 1] === '<' ? this.#dict(depth) : this.#hexadecimal()
    if (start === undefined || start === ']' || start === '>') return undefined
    return isNumeric(this.#source.charCodeAt(this.at)) ? this.#number(depth) : this.#word(depth)
  }

  /** Whether the keyword comes next; if so, it is skipped. */
  word(word: string): boolean {
    this.skipSpace()
    const found = this.#source.startsWith(word, this.at)
    if (found) this.at += word.length
    return found
  }

  /** Skips whitespace and comments. */
  skipSpace(): void {
    const from = this.at
    for (;;) {
      while (isWhitespace(this.#source.charCodeAt(this.at))) this.at++
      if (this.#source[this.at] !== '%') break
      while (this.at < this.#source.length && !isLineEnd(this.#source.charCodeAt(this.at))) this.at++
    }
    this.#charge(from)
  }

  #charge(from: number): void {
    spendCharacters(this.#state, this.at - from)
  }

  /** The characters up to the next whitespace or delimiter. */
  #run(): string {
    const from = this.at
    let code = this.#source.charCodeAt(this.at)
    for (; !endsToken(code); code = this.#source.charCodeAt(++this.at)) if (isControl(code)) throw damaged()
    this.#charge(from)
    return this.#source.slice(from, this.at)
  }

  #name(): string {
    this.at++
    const name = this.#run()
    const plain = name.includes('#')
      ? name.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : name
    // Some programs end the name there, others do not.
    if (plain.includes('\0')) throw new FileRejected('The PDF contains a name with a NUL character.')
    return `/${plain}`
  }

  #literal(): PdfString {
    const from = this.at
    let open = 0
    for (; this.at < this.#source.length; this.at++) {
      const code = this.#source.charCodeAt(this.at)
      if (code === 0x5c) this.at++
      else if (code === 0x28) open++
      else if (code === 0x29 && --open === 0) break
    }
    this.at++
    this.#charge(from)
    if (this.at > this.#source.length) throw damaged()
    return new PdfString(this.#source.slice(from, this.at))
  }

  #hexadecimal(): PdfString {
    const from = this.at++
    while (isHexadecimal(this.#source.charCodeAt(this.at))) this.at++
    this.#charge(from)
    if (this.#source[this.at++] !== '>') throw damaged()
    return new PdfString(this.#source.slice(from, this.at))
  }

  #number(depth: number): number | PdfReference {
    const digits = this.#run()
    // Some programs write lengths, which are objects of their own, without whitespace at their end.
    if (depth === 0 && /^\d+endobj$/.test(digits)) {
      this.at -= 'endobj'.length
      return Number.parseInt(digits, 10)
    }
    if (/\D/.test(digits)) {
      // Without any digit it is not a number to some programs, and letters in it may be a keyword.
      if (/[^\d+.-]/.test(digits) || !/\d/.test(digits)) throw damaged()
      return Number.NaN
    }
    const end = this.at
    if (this.#plainFollows()) {
      this.skipSpace()
      if (this.#source[this.at] === 'R' && endsToken(this.#source.charCodeAt(this.at + 1))) {
        this.at++
        return new PdfReference(objectNumber(digits))
      }
    }
    this.at = end
    return Number(digits)
  }

  /** Skips the generation number of a reference, which the `R` may follow directly. */
  #plainFollows(): boolean {
    this.skipSpace()
    const from = this.at
    while (isDigit(this.#source.charCodeAt(this.at))) this.at++
    this.#charge(from)
    return this.at > from
  }

  /** Programs disagree about a stray keyword, such as the `R` of a malformed reference. */
  #word(depth: number): PdfValue {
    const word = this.#run()
    if (word === '') {
      if (depth > 0) throw damaged()
      this.at++
    }
    if (depth > 0 && word !== 'true' && word !== 'false' && word !== 'null') throw damaged()
    return word === 'true' || (word === 'false' ? false : null)
  }

  #array(depth: number): PdfValue[] {
    const values: PdfValue[] = []
    this.at++
    for (let next = this.value(depth + 1); next !== undefined; next = this.value(depth + 1)) values.push(next)
    this.#close(']')
    return values
  }

  #dict(depth: number): PdfDict {
    const pairs: [string, PdfValue][] = []
    this.#starts?.add(this.at)
    this.at += 2
    for (let key = this.value(depth + 1); key !== undefined; key = this.value(depth + 1)) {
      const value = this.value(depth + 1)
      if (typeof key !== 'string' || value === undefined) throw damaged()
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

  #close(mark: string): void {
    if (!this.#source.startsWith(mark, this.at)) throw damaged()
    this.at += mark.length
  }
}
