// How much a drawing may hold: what it is made of is counted while it is read, so that no check takes long.
import { FileRejected } from '../rejected.ts'
import { lengthWithoutPictures } from './xml-text.ts'

const maxCounts = {
  length: 34_000_000,
  'length without pictures': 14_000_000,
  depth: 200,
  elements: 60_000,
  attributes: 300_000,
  'attributes of one element': 1000,
  characters: 8_000_000,
  /** Microseconds that checking it all takes. */
  parts: 3_200_000,
}

/** Microseconds for each. */
const workPerItem = { element: 25, attribute: 5, character: 0.28, characterOfLink: 0.08 }

type Limit = keyof typeof maxCounts

/** Throws FileRejected for a text that is too long to be read at all. */
export function assertLength(xml: string): void {
  if (xml.length > maxCounts.length || lengthWithoutPictures(xml) > maxCounts['length without pictures'])
    throw new FileRejected('The drawing is too long.')
}

/** Counts the parts of one drawing; throws FileRejected at the first one too many. */
export class DrawingLimits {
  readonly #counts = new Map<Limit, number>()

  openElement(): void {
    this.#count('elements', 1)
    this.#count('depth', 1)
    this.#counts.set('attributes of one element', 0)
    this.#count('parts', workPerItem.element)
  }

  closeElement(): void {
    this.#count('depth', -1)
  }

  addAttribute(name: string, length: number): void {
    this.#count('attributes', 1)
    this.#count('attributes of one element', 1)
    this.#count('parts', workPerItem.attribute)
    // A link may be a picture, which is read by other means.
    if (name === 'href') this.#count('parts', length * workPerItem.characterOfLink)
    else this.addText(length)
  }

  addText(length: number): void {
    this.#count('characters', length)
    this.#count('parts', length * workPerItem.character)
  }

  #count(what: Limit, more: number): void {
    const count = (this.#counts.get(what) ?? 0) + more
    if (count > maxCounts[what]) throw new FileRejected(`The drawing exceeds a limit on its ${what}.`)
    this.#counts.set(what, count)
  }
}
