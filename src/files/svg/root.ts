// Finds the root element of an XML document in one pass, without reading what follows.

/** The root element as it stands in the document. */
export interface Root {
  /** The name with its prefix; `!doctype` for a DOCTYPE that is not XML. */
  name: string
  /** Parses the attributes: values by name, entities not decoded; of a truncated document only those before the cut. */
  attributes(): Map<string, string>
}

const rootName = /^(?:!doctype|[\w:.-]+)/i
const maxNameLength = 100

/** The first element after declarations, processing instructions, comments and one DOCTYPE; undefined if there is none. */
export function findRoot(xml: string): Root | undefined {
  const position = afterProlog(xml)
  if (xml.charAt(position) !== '<') return undefined
  const name = rootName.exec(xml.slice(position + 1, position + maxNameLength))?.[0]
  return name === undefined
    ? undefined
    : { name, attributes: () => attributes(xml, position + 1 + name.length) }
}

/** The offset after the prolog; the length of the document if the prolog is not closed. */
function afterProlog(xml: string): number {
  let hasDoctype = false
  for (let position = skip(xml, 0, isSpace); ; position = skip(xml, position, isSpace)) {
    if (xml.startsWith('<!--', position)) position = after(xml, '-->', position + 4)
    else if (xml.startsWith('<?', position)) position = after(xml, '?>', position)
    else if (xml.startsWith('<!DOCTYPE', position) && !hasDoctype) {
      hasDoctype = true
      position = afterDoctype(xml, position)
    } else return position
  }
}

/** The offset after the next occurrence of a text; the length of the document if there is none. */
function after(xml: string, text: string, from: number): number {
  const index = xml.indexOf(text, from)
  return index < 0 ? xml.length : index + text.length
}

/** The offset after a DOCTYPE, which ends at `>`, or with an internal subset at `]>`. */
function afterDoctype(xml: string, from: number): number {
  const close = xml.indexOf('>', from)
  const subset = xml.indexOf('[', from)
  if (subset < 0 || subset > close) return close < 0 ? xml.length : close + 1
  const end = /\]\s{0,64}>/g
  end.lastIndex = subset
  return end.test(xml) ? end.lastIndex : xml.length
}

/** The attributes that follow in a start tag; of a repeated name the first. */
function attributes(xml: string, from: number): Map<string, string> {
  const values = new Map<string, string>()
  for (
    let position = skip(xml, from, isSpace);
    position < xml.length;
    position = skip(xml, position, isSpace)
  ) {
    const nameEnd = skip(xml, position, isAttributeName)
    const equals = skip(xml, nameEnd, isSpace)
    const open = skip(xml, equals + 1, isSpace)
    const quote = xml.charAt(open)
    // The end of the tag, or not XML.
    if (nameEnd === position || xml.charAt(equals) !== '=' || (quote !== '"' && quote !== "'")) break
    const close = xml.indexOf(quote, open + 1)
    if (close < 0) break
    const name = xml.slice(position, nameEnd)
    if (!values.has(name)) values.set(name, xml.slice(open + 1, close))
    position = close + 1
  }
  return values
}

const isSpace = (character: string) =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'
const isAttributeName = (character: string) => !isSpace(character) && !'=<>/"\''.includes(character)

/** The first offset from `start` on whose character does not pass. */
function skip(xml: string, start: number, passes: (character: string) => boolean): number {
  let end = start
  while (end < xml.length && passes(xml.charAt(end))) end++
  return end
}
