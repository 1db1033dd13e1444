// A long text in parts.

/** Characters of a text that are encoded at once, so that a large one delays no other request. */
const slice = 1024 * 1024

/** The parts of a text, which split no character. */
export function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const isSplit = /[\ud800-\udbff]/.test(text.charAt(at + slice - 1))
    const end = at + slice - (isSplit ? 1 : 0)
    yield text.slice(at, end)
    at = end
  }
}
