// Limits how much a drawing may contain. It counts while the drawing is parsed, so that no later check takes long.
import { FileRejected } from '../rejected.ts'
import { lengthWithoutPictures } from './xml-text.ts'

/** The limits, by the names that the error messages contain. Lengths are characters of the file. */
const maxCounts = {
  length: 34_000_000,
  'length without pictures': 14_000_000,
  'nesting depth': 200,
  elements: 60_000,
  attributes: 300_000,
  'attributes per element': 1000,
  characters: 8_000_000,
  /** The estimated time of all checks, in microseconds: well below the CPU time after which accept.ts has the check ended. */
  complexity: 3_200_000,
}

/** The estimated time of all checks for one item, in microseconds. */
const workPerItem = { element: 25, attribute: 5, character: 0.28, characterOfLink: 0.08 }

type Limit = keyof typeof maxCounts

/** Throws FileRejected for a drawing that is too long to parse. */
export function assertLength(xml: string): void {
  if (xml.length > maxCounts.length || lengthWithoutPictures(xml) > maxCounts['length without pictures'])
    throw new FileRejected('The drawing is too long.')
}

/**
 * Counts what one drawing contains; the parser's events in rewrite.ts call its methods. They throw FileRejected as soon as a limit
 * is exceeded.
 */
export class DrawingLimits {
  readonly #counts = new Map<Limit, number>()

  /** Called for each start tag, before its attributes. */
  openElement(): void {
    this.#count('elements', 1)
    this.#count('nesting depth', 1)
    this.#counts.set('attributes per element', 0)
    this.#count('complexity', workPerItem.element)
  }

  /** Called for each end tag. */
  closeElement(): void {
    this.#count('nesting depth', -1)
  }

  /** @param length of the value, in characters */
  addAttribute(name: string, length: number): void {
    this.#count('attributes', 1)
    this.#count('attributes per element', 1)
    this.#count('complexity', workPerItem.attribute)
    // A link may be an embedded picture, which is faster to check than text.
    if (name === 'href') this.#count('complexity', length * workPerItem.characterOfLink)
    else this.addText(length)
  }

  /** @param length in characters */
  addText(length: number): void {
    this.#count('characters', length)
    this.#count('complexity', length * workPerItem.character)
  }

  #count(limit: Limit, amount: number): void {
    const count = (this.#counts.get(limit) ?? 0) + amount
    if (count > maxCounts[limit]) throw new FileRejected(`The drawing exceeds the limit on its ${limit}.`)
    this.#counts.set(limit, count)
  }
}
