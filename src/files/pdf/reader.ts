// Reads PDF values (numbers, names, texts, arrays, dictionaries, references) from text, in bounded depth and time.
import { FileRejected } from '../rejected.ts'

export type PdfDict = Map<string, PdfValue>
/** A name keeps its slash; every text is the same `()`, since what it says is of no concern. */
export type PdfValue = null | boolean | number | string | PdfReference | PdfValue[] | PdfDict
export class PdfReference {
  readonly number: number

  constructor(number: number) {
    this.number = number
  }
}

export const TEXT = '()'

const DEPTH = 100
// So many letters cost as much as one value: objects may overlap, and the same letters be read many times.
const LETTERS = 256
// The format's own blanks, which are fewer than those of a `\s`.
const SPACE = /[\0\t\n\f\r ]*(?:%[^\r\n]*[\0\t\n\f\r ]*)*/y
const NUMBER = /[+-]*\d*\.?\d*/y
const INTEGER = /\d+/y
const REFERRING = /R(?![A-Za-z])/y
const NAME = /\/[^\0\t\n\f\r ()<>[\]{}/%]*/y
const WORD = /[^\0\t\n\f\r ()<>[\]{}/%]+/y

/** How many values may still be read, over all readers of one file. */
export interface Budget {
  values: number
}

export function spend(budget: Budget, values: number): void {
  budget.values -= values
  if (budget.values < 0) throw new FileRejected('The PDF has too many parts to be checked.')
}

export class PdfReader {
  at: number
  readonly #text: string
  readonly #budget: Budget
  readonly #dicts: PdfDict[]

  /** Every dictionary that is read, however deep, is also added to `dicts`. */
  constructor(text: string, at: number, budget: Budget, dicts: PdfDict[]) {
    this.#text = text
    this.at = at
    this.#budget = budget
    this.#dicts = dicts
  }

  /** The next value; undefined at the end of the text or of the array or dictionary around. */
  value(depth = 0): PdfValue | undefined {
    this.#spend(1)
    if (depth > DEPTH) throw new FileRejected('The PDF is nested too deep.')
    this.#match(SPACE)
    const start = this.#text.charAt(this.at)
    if (start === '/') return this.#name()
    if (start === '(') return this.#literal()
    if (start === '[') return this.#array(depth)
    if (start === '<') return this.#text.startsWith('<<', this.at) ? this.#dict(depth) : this.#hex()
    if (start === '' || start === ']' || start === '>') return undefined
    return /[\d+.-]/.test(start) ? this.#number() : this.#word(depth)
  }

  /** Whether the word comes next; if so it is passed. */
  word(word: string): boolean {
    this.#match(SPACE)
    const found = this.#text.startsWith(word, this.at)
    if (found) this.at += word.length
    return found
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.#text)
    if (match) {
      this.#spend(match[0].length / LETTERS)
      this.at = pattern.lastIndex
    }
    return match
  }

  #spend(values: number): void {
    spend(this.#budget, values)
  }

  #name(): string {
    const name = this.#match(NAME)?.[0] ?? '/'
    return name.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }

  #literal(): string {
    const start = this.at
    let open = 0
    for (; this.at < this.#text.length; this.at++) {
      const letter = this.#text[this.at]
      if (letter === '\\') this.at++
      else if (letter === '(') open++
      else if (letter === ')' && --open === 0) break
    }
    this.at++
    this.#spend((this.at - start) / LETTERS)
    return TEXT
  }

  #hex(): string {
    const end = this.#text.indexOf('>', this.at)
    const next = end < 0 ? this.#text.length : end + 1
    this.#spend((next - this.at) / LETTERS)
    this.at = next
    return TEXT
  }

  #number(): number | PdfReference {
    const number = this.#match(NUMBER)?.[0] ?? ''
    const end = this.at
    if (/^\d+$/.test(number) && this.#follows(INTEGER) && this.#follows(REFERRING)) {
      return new PdfReference(Number(number))
    }
    this.at = end
    return Number(number) || 0
  }

  /** Whether the pattern comes next, behind blanks and comments; if so it is passed. */
  #follows(pattern: RegExp): boolean {
    this.#match(SPACE)
    return this.#match(pattern) !== null
  }

  /** A stray word counts as null, so that nothing can hide behind it. */
  #word(depth: number): PdfValue {
    const word = this.#match(WORD)?.[0]
    if (!word) this.#stray(depth)
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
    const dict: PdfDict = new Map()
    this.#dicts.push(dict)
    this.at += 2
    for (let key = this.value(depth + 1); key !== undefined; key = this.value(depth + 1)) {
      // Something else in the place of a key is passed over, as viewers do.
      if (typeof key !== 'string' || key === TEXT) continue
      const value = this.value(depth + 1)
      if (value === undefined) break
      // The same key twice: viewers disagree about which one counts, so both are kept.
      const name = key.slice(1)
      if (dict.has(`${name}\0`)) throw new FileRejected('The PDF is damaged.')
      dict.set(dict.has(name) ? `${name}\0` : name, value)
    }
    this.#close('>>')
    return dict
  }

  #close(mark: string): void {
    if (this.#text.startsWith(mark, this.at)) this.at += mark.length
    else if (this.at < this.#text.length) this.#stray(1)
  }

  /** Programs disagree about what a wrong bracket means, so that what follows it would be anyone's guess. */
  #stray(depth: number): void {
    if (depth > 0) throw new FileRejected('The PDF is damaged.')
    this.at++
  }
}
