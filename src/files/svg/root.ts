// Finds the root element of an XML document in one pass, without reading what follows.

export interface Root {
  /** As written, with its prefix; `!doctype` for a DOCTYPE that is not XML. */
  name: string
  /** Values as written; of a truncated document only those before the cut. */
  attributes(): Map<string, string>
}

const rootName = /^(?:!doctype|[\w:.-]+)/i
const maxNameLength = 100

/** The first element after declarations, processing instructions, comments and one DOCTYPE; undefined if there is none. */
export function findRoot(xml: string): Root | undefined {
  const at = afterProlog(xml)
  if (xml.charAt(at) !== '<') return undefined
  const name = rootName.exec(xml.slice(at + 1, at + maxNameLength))?.[0]
  return name === undefined ? undefined : { name, attributes: () => attributes(xml, at + 1 + name.length) }
}

/** The offset after the prolog; the length of the document if the prolog is not closed. */
function afterProlog(xml: string): number {
  let hasDoctype = false
  for (let at = skip(xml, 0, isSpace); ; at = skip(xml, at, isSpace)) {
    if (xml.startsWith('<!--', at)) at = after(xml, '-->', at + 4)
    else if (xml.startsWith('<?', at)) at = after(xml, '?>', at)
    else if (xml.startsWith('<!DOCTYPE', at) && !hasDoctype) {
      hasDoctype = true
      at = afterDoctype(xml, at)
    } else return at
  }
}

function after(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from)
  return found < 0 ? xml.length : found + mark.length
}

/** A DOCTYPE ends at `>`, with an internal subset at `]>`. If it names HTML, the root element still decides. */
function afterDoctype(xml: string, from: number): number {
  const close = xml.indexOf('>', from)
  const subset = xml.indexOf('[', from)
  if (subset < 0 || subset > close) return close < 0 ? xml.length : close + 1
  const end = /\]\s{0,64}>/g
  end.lastIndex = subset
  return end.test(xml) ? end.lastIndex : xml.length
}

function attributes(xml: string, from: number): Map<string, string> {
  const found = new Map<string, string>()
  for (let at = skip(xml, from, isSpace); at < xml.length; at = skip(xml, at, isSpace)) {
    const nameEnd = skip(xml, at, isAttributeName)
    const equals = skip(xml, nameEnd, isSpace)
    const open = skip(xml, equals + 1, isSpace)
    const quote = xml.charAt(open)
    // The end of the tag, or not XML.
    if (nameEnd === at || xml.charAt(equals) !== '=' || (quote !== '"' && quote !== "'")) break
    const close = xml.indexOf(quote, open + 1)
    if (close < 0) break
    const name = xml.slice(at, nameEnd)
    if (!found.has(name)) found.set(name, xml.slice(open + 1, close))
    at = close + 1
  }
  return found
}

const isSpace = (character: string) =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'
const isAttributeName = (character: string) => !isSpace(character) && !'=<>/"\''.includes(character)

/** The first offset from `at` on whose character does not pass. */
function skip(xml: string, at: number, passes: (character: string) => boolean): number {
  let end = at
  while (end < xml.length && passes(xml.charAt(end))) end++
  return end
}
