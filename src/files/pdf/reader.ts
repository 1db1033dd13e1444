// Reads PDF values (numbers, names, strings, arrays, dictionaries, references) from text, in bounded depth and time. What
// programs would read in different ways is refused: something could hide in the difference.
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
// So many characters cost as much as one value: objects may overlap, and the same characters be read many times.
const charactersPerValue = 64
/** What a dictionary that is kept costs beside its values, for the memory that it takes. */
const dictCost = 4
/** As many objects as the format allows, and more than any program counts to. */
const maxObjectNumber = 0x7fffffff

/** What all readers of one file share. */
export interface ParseState {
  /** How many values may still be read. */
  values: number
  /** Every dictionary that was read, however deep. */
  dicts: PdfDict[]
}

export function spend(state: ParseState, values: number): void {
  state.values -= values
  if (state.values < 0) throw new FileRejected('The PDF has too many parts to be checked.')
}

export function spendCharacters(state: ParseState, characters: number): void {
  spend(state, characters / charactersPerValue)
}

export function damaged(): FileRejected {
  return new FileRejected('The PDF is damaged.')
}

/** The number in plain digits; throws FileRejected where some programs would count over its end. */
export function objectNumber(digits: string): number {
  const number = Number(digits)
  if (number > maxObjectNumber) throw damaged()
  return number
}

export class PdfReader {
  at: number
  readonly #text: string
  readonly #state: ParseState
  readonly #starts: Set<number> | undefined

  /** @param starts takes the places where dictionaries begin */
  constructor(text: string, at: number, state: ParseState, starts?: Set<number>) {
    this.#text = text
    this.at = at
    this.#state = state
    this.#starts = starts
  }

  /** The next value; undefined at the end of the text, or at a closing bracket. */
  value(depth = 0): PdfValue | undefined {
    spend(this.#state, 1)
    if (depth > maxDepth) throw new FileRejected('The PDF is nested too deep.')
    this.skipSpace()
    const start = this.#text[this.at]
    if (start === '/') return this.#name()
    if (start === '(') return this.#literal()
    if (start === '[') return this.#array(depth)
    if (start === '<') return this.#text[this.at + 1] === '<' ? this.#dict(depth) : this.#hexadecimal()
    if (start === undefined || start === ']' || start === '>') return undefined
    return isNumeric(this.#text.charCodeAt(this.at)) ? this.#number() : this.#word(depth)
  }

  /** Whether the word comes next; if so it is passed. */
  word(word: string): boolean {
    this.skipSpace()
    const found = this.#text.startsWith(word, this.at)
    if (found) this.at += word.length
    return found
  }

  /** Passes whitespace and comments. */
  skipSpace(): void {
    const from = this.at
    for (;;) {
      while (isWhitespace(this.#text.charCodeAt(this.at))) this.at++
      if (this.#text[this.at] !== '%') break
      while (this.at < this.#text.length && !isLineEnd(this.#text.charCodeAt(this.at))) this.at++
    }
    this.#charge(from)
  }

  #charge(from: number): void {
    spendCharacters(this.#state, this.at - from)
  }

  /** The characters up to the next whitespace or delimiter. */
  #run(): string {
    const from = this.at
    let code = this.#text.charCodeAt(this.at)
    for (; !endsToken(code); code = this.#text.charCodeAt(++this.at)) if (isControl(code)) throw damaged()
    this.#charge(from)
    return this.#text.slice(from, this.at)
  }

  #name(): string {
    this.at++
    const name = this.#run()
    const plain = name.includes('#')
      ? name.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : name
    return `/${plain}`
  }

  #literal(): PdfString {
    const from = this.at
    let open = 0
    for (; this.at < this.#text.length; this.at++) {
      const code = this.#text.charCodeAt(this.at)
      if (code === 0x5c) this.at++
      else if (code === 0x28) open++
      else if (code === 0x29 && --open === 0) break
    }
    this.at++
    this.#charge(from)
    if (this.at > this.#text.length) throw damaged()
    return new PdfString(this.#text.slice(from, this.at))
  }

  #hexadecimal(): PdfString {
    const from = this.at++
    while (isHexadecimal(this.#text.charCodeAt(this.at))) this.at++
    this.#charge(from)
    if (this.#text[this.at++] !== '>') throw damaged()
    return new PdfString(this.#text.slice(from, this.at))
  }

  #number(): number | PdfReference {
    const digits = this.#run()
    if (!isPlain(digits)) {
      if (!isNumberlike(digits)) throw damaged()
      return Number.NaN
    }
    const end = this.at
    if (this.#plainFollows()) {
      this.skipSpace()
      if (this.#text[this.at] === 'R' && endsToken(this.#text.charCodeAt(this.at + 1))) {
        this.at++
        return new PdfReference(objectNumber(digits))
      }
    }
    this.at = end
    return Number(digits)
  }

  /** Passes the generation of a reference, to which the mark may stick. */
  #plainFollows(): boolean {
    this.skipSpace()
    const from = this.at
    while (isDigit(this.#text.charCodeAt(this.at))) this.at++
    this.#charge(from)
    return this.at > from
  }

  /** A stray word, such as the mark of a reference that is written oddly, means something else to every program. */
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
    if (!this.#text.startsWith(mark, this.at)) throw damaged()
    this.at += mark.length
  }
}

function isPlain(digits: string): boolean {
  for (let at = 0; at < digits.length; at++) if (!isDigit(digits.charCodeAt(at))) return false
  return true
}

/** What has no digit at all is no number to some programs, and letters within it may be a word of their own. */
function isNumberlike(run: string): boolean {
  for (let at = 0; at < run.length; at++) if (!isNumeric(run.charCodeAt(at))) return false
  return /\d/.test(run)
}
