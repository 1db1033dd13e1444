// What reading JSON is made of: where the strings of a text end, texts of very many pieces, values of any depth.

export const quote = 34
const backslash = 92

/** Characters within which a loop is faster than `indexOf`; beyond them it is slower. */
const near = 128

/** The position after the string that has its content from `start`; the end of the text if it is not closed. */
export function afterString(text: string, start: number): number {
  for (let at = start; ; at++) {
    for (const far = at + near; at < far; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) return at + 1
      if (code === backslash) at++
    }
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    if (!isEscaped(text, at)) return at + 1
  }
}

/** Whether the quote at this position, within or at the end of a string, follows an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

/** Builds a long text. A string that grows by millions of pieces would need many times its memory, and so would one array of them. */
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

/** The value with each part replaced. Uses its own stack, because it may be nested at any depth. */
export function withParts(root: unknown, replace: (part: unknown) => unknown): unknown {
  const holder = [root]
  const rest: object[] = [holder]
  for (let next = rest.pop(); next; next = rest.pop()) {
    for (const key of Array.isArray(next) ? next.keys() : Object.keys(next)) {
      const part: unknown = Reflect.get(next, key)
      const replaced = replace(part)
      if (replaced !== part) Reflect.set(next, key, replaced)
      if (typeof replaced === 'object' && replaced !== null) rest.push(replaced)
    }
  }
  return holder[0]
}
