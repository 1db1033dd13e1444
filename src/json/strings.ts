// Tools for reading JSON text: the ends of strings, texts built of very many pieces, values nested at any depth.

/** The character code of `"`. */
export const quote = 34
const backslash = 92

/** So many characters a loop reads faster than `indexOf` does; a longer string is searched faster by `indexOf`. */
const loopLength = 128

/** The position after the closing quote of the string whose content starts at `start`; the length of the text if none closes it. */
export function afterString(text: string, start: number): number {
  for (let position = start; ; position++) {
    for (const loopEnd = position + loopLength; position < loopEnd; position++) {
      const code = text.charCodeAt(position)
      if (code === quote) return position + 1
      if (code === backslash) position++
    }
    position = text.indexOf('"', position)
    if (position < 0) return text.length
    if (!isEscaped(text, position)) return position + 1
  }
}

/** Whether the quote at this position is escaped: it follows an odd number of backslashes. */
export function isEscaped(text: string, position: number): boolean {
  let first = position
  while (text.charCodeAt(first - 1) === backslash) first--
  return (position - first) % 2 === 1
}

/** Builds a long text by `add`, read by `text`. A string that grows by millions of pieces, or one array of them, would need many times the memory. */
export class Pieces {
  #blocks: string[] = []
  #pieces: string[] = []

  add(...pieces: string[]): void {
    this.#pieces.push(...pieces)
    if (this.#pieces.length < 10_000) return
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  get text(): string {
    return [...this.#blocks, ...this.#pieces].join('')
  }
}

/**
 * Calls `replace` for the value and then for each part of what it returned, at any depth, and puts the results in place of the
 * parts; changes the value. Uses a stack of its own instead of recursion, which would overflow on deeply nested values.
 */
export function withParts(root: unknown, replace: (part: unknown) => unknown): unknown {
  const holder = [root]
  const pending: object[] = [holder]
  for (let parent = pending.pop(); parent; parent = pending.pop()) {
    for (const key of Array.isArray(parent) ? parent.keys() : Object.keys(parent)) {
      const part: unknown = Reflect.get(parent, key)
      const replaced = replace(part)
      if (replaced !== part) Reflect.set(parent, key, replaced)
      if (typeof replaced === 'object' && replaced !== null) pending.push(replaced)
    }
  }
  return holder[0]
}
