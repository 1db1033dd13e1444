// Looks for active or external content in a drawing, as browsers would parse it: as XML and inside an HTML page.
import { JSDOM } from 'jsdom'

const { DOMParser } = new JSDOM('').window
const SVG = 'http://www.w3.org/2000/svg'
const WORDS = /evil\.example|alert\(|javascript:|vbscript:|@import|@font-face|expression/i
const OUTSIDE_URL = /url\(\s*["']?(?![\s"'#])/i
const MARKS = /<!|<\?(?!xml )/

/** One line per finding; empty for a clean drawing. Keywords are searched only where ordinary text does not contain them. */
export function findings(svg: string, { words = true } = {}): string[] {
  const suspicious = [MARKS.exec(svg), words ? WORDS.exec(svg) : null].flatMap((match) => match ?? [])
  const found = suspicious.map((text) => `text: ${text}`)
  if ((svg.match(/<\?/g) ?? []).length !== 1) found.push('instruction')
  const xml = new DOMParser().parseFromString(svg, 'application/xml')
  const page = new DOMParser().parseFromString(svg.replace(/^<\?xml[^>]*>/, ''), 'text/html')
  for (const [kind, document] of [
    ['xml', xml],
    ['html', page],
  ] as const) {
    const elements = kind === 'xml' ? document.querySelectorAll('*') : document.body.querySelectorAll('*')
    for (const element of elements) found.push(...elementFindings(element).map((each) => `${kind}: ${each}`))
  }
  return found
}

function elementFindings(element: Element): string[] {
  const found: string[] = []
  const name = element.localName
  if (element.namespaceURI !== SVG) found.push(`element ${name} of another language`)
  if (/^(?:script|handler|listener|foreignobject|animate.*|set|iframe|metadata)$/i.test(name))
    found.push(`element ${name}`)
  for (const attribute of element.attributes) {
    const value = attribute.value.trim()
    if (/^on/i.test(attribute.localName)) found.push(`handler ${attribute.name}`)
    if (attribute.localName === 'href' && attribute.name !== 'xmlns:href') {
      const data =
        /^(?:image|feImage)$/.test(name) &&
        /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(value)
      if (!value.startsWith('#') && !data) found.push(`link ${value.slice(0, 60)}`)
    }
    if (OUTSIDE_URL.test(value)) found.push(`url in ${attribute.name}`)
    if (attribute.name === 'xml:base') found.push('base')
  }
  if (name === 'style' && OUTSIDE_URL.test(element.textContent ?? '')) found.push('url in the style sheet')
  if (name === 'style' && /\\|@(?!media)/.test(element.textContent ?? '')) found.push('style sheet')
  return found
}
