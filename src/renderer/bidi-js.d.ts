// What is used of the package, which has no types of its own.
declare module 'bidi-js' {
  interface Levels {
    levels: Uint8Array
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): Levels
    getReorderedIndices(text: string, levels: Levels): number[]
    /** null if the character has no mirror image. */
    getMirroredCharacter(character: string): string | null
  }
  export default function create(): Bidi
}
