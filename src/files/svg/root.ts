// Finds the root element of an XML text in one pass, without reading the text behind it.

export interface Root {
  /** As it is written, with its prefix; `!doctype` for a DOCTYPE that is not XML's. */
  name: string
  /** Values as they are written; where the text is cut, those before the cut. */
  attributes(): Map<string, string>
}

const rootName = /^(?:!doctype|[\w:.-]+)/i
const maxNameLength = 100

/** The first element behind declarations, instructions, comments and one DOCTYPE; undefined when there is none. */
export function findRoot(text: string): Root | undefined {
  const at = afterProlog(text)
  if (text.charAt(at) !== '<') return undefined
  const name = rootName.exec(text.slice(at + 1, at + maxNameLength))?.[0]
  return name === undefined ? undefined : { name, attributes: () => attributes(text, at + 1 + name.length) }
}

/** Where the root may begin; the end of the text when a part of the prolog has no end. */
function afterProlog(text: string): number {
  let hasDoctype = false
  for (let at = skip(text, 0, isSpace); ; at = skip(text, at, isSpace)) {
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4)
    else if (text.startsWith('<?', at)) at = after(text, '?>', at)
    else if (text.startsWith('<!DOCTYPE', at) && !hasDoctype) {
      hasDoctype = true
      at = afterDoctype(text, at)
    } else return at
  }
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

/** A DOCTYPE ends at `>`, with an internal subset at `]>`; one that names HTML leaves the question to its root. */
function afterDoctype(text: string, from: number): number {
  const close = text.indexOf('>', from)
  const subset = text.indexOf('[', from)
  if (subset < 0 || subset > close) return close < 0 ? text.length : close + 1
  const end = /\]\s{0,64}>/g
  end.lastIndex = subset
  return end.test(text) ? end.lastIndex : text.length
}

function attributes(text: string, from: number): Map<string, string> {
  const found = new Map<string, string>()
  for (let at = skip(text, from, isSpace); at < text.length; at = skip(text, at, isSpace)) {
    const nameEnd = skip(text, at, isAttributeName)
    const equals = skip(text, nameEnd, isSpace)
    const open = skip(text, equals + 1, isSpace)
    const quote = text.charAt(open)
    // The end of the tag, or no XML.
    if (nameEnd === at || text.charAt(equals) !== '=' || (quote !== '"' && quote !== "'")) break
    const close = text.indexOf(quote, open + 1)
    if (close < 0) break
    const name = text.slice(at, nameEnd)
    if (!found.has(name)) found.set(name, text.slice(open + 1, close))
    at = close + 1
  }
  return found
}

const isSpace = (character: string) =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'
const isAttributeName = (character: string) => !isSpace(character) && !'=<>/"\''.includes(character)

/** The first place from `at` on whose character does not pass. */
function skip(text: string, at: number, passes: (character: string) => boolean): number {
  let end = at
  while (end < text.length && passes(text.charAt(end))) end++
  return end
}
