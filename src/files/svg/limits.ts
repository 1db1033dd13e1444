// Limits what a drawing may contain. Everything is counted while the drawing is parsed, so that no check takes long.
import { FileRejected } from '../rejected.ts'
import { lengthWithoutPictures } from './xml-text.ts'

const maxCounts = {
  length: 34_000_000,
  'length without pictures': 14_000_000,
  'nesting depth': 200,
  elements: 60_000,
  attributes: 300_000,
  'attributes per element': 1000,
  characters: 8_000_000,
  /** The estimated time of all checks, in microseconds. */
  complexity: 3_200_000,
}

/** The estimated time of the checks for each item, in microseconds. */
const workPerItem = { element: 25, attribute: 5, character: 0.28, characterOfLink: 0.08 }

type Limit = keyof typeof maxCounts

/** Throws FileRejected for a drawing that is too long to parse. */
export function assertLength(xml: string): void {
  if (xml.length > maxCounts.length || lengthWithoutPictures(xml) > maxCounts['length without pictures'])
    throw new FileRejected('The drawing is too long.')
}

/** Counts what one drawing contains. Throws FileRejected as soon as a limit is exceeded. */
export class DrawingLimits {
  readonly #counts = new Map<Limit, number>()

  openElement(): void {
    this.#count('elements', 1)
    this.#count('nesting depth', 1)
    this.#counts.set('attributes per element', 0)
    this.#count('complexity', workPerItem.element)
  }

  closeElement(): void {
    this.#count('nesting depth', -1)
  }

  addAttribute(name: string, length: number): void {
    this.#count('attributes', 1)
    this.#count('attributes per element', 1)
    this.#count('complexity', workPerItem.attribute)
    // A link may be an embedded picture, which is faster to check than text.
    if (name === 'href') this.#count('complexity', length * workPerItem.characterOfLink)
    else this.addText(length)
  }

  addText(length: number): void {
    this.#count('characters', length)
    this.#count('complexity', length * workPerItem.character)
  }

  #count(what: Limit, more: number): void {
    const count = (this.#counts.get(what) ?? 0) + more
    if (count > maxCounts[what]) throw new FileRejected(`The drawing exceeds the limit on its ${what}.`)
    this.#counts.set(what, count)
  }
}
