// Declares the parts of bidi-js that directions.ts uses: the package has no types.
declare module 'bidi-js' {
  /** Embedding levels by index of the UTF-16 unit (Unicode UAX #9); odd ones run from right to left. */
  interface Levels {
    levels: Uint8Array
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): Levels
    /** Indices of the text in the order in which they are shown, from left to right. */
    getReorderedIndices(text: string, levels: Levels): number[]
    /** The mirror image of a character such as a bracket; null if it has none. */
    getMirroredCharacter(character: string): string | null
  }
  export default function create(): Bidi
}
