// Which names of a JSON text occurred before in it.

/** Unforeseeable, so that nobody sends names that count as one. */
const factor = Number(crypto.getRandomValues(new Uint32Array(1))) | 1

/** The names of one text. Takes one bit for each character of the text, and may take a new name for a known one. */
export class NameSet {
  #text: string
  #bits: Uint32Array

  constructor(text: string) {
    this.#text = text
    this.#bits = new Uint32Array((text.length >>> 5) + 1)
  }

  /** Whether the name from `start` to `end` is here for the first time. */
  isNew(start: number, end: number): boolean {
    let hash = end - start
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ this.#text.charCodeAt(at), factor)
    const word = (hash >>> 5) % this.#bits.length
    const bit = 1 << (hash & 31)
    const bits = this.#bits[word] ?? 0
    this.#bits[word] = bits | bit
    return (bits & bit) === 0
  }
}
