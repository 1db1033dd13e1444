// Splits the CSS of a drawing into rules and declarations, and removes all that it does not understand completely.
import { allowedProperties } from './allowed.ts'
import { withoutDelimited } from './xml-text.ts'

const allowedFunctions = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var matrix matrix3d
  translate translatex translatey scale scalex scaley rotate skew skewx skewy perspective cubic-bezier steps blur
  brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia polygon circle ellipse inset path
  icc-color device-cmyk`.split(/\s+/),
)
/** A `url()` of an element of the drawing. */
const localUrl = /url\(\s*(["']?)#[^"'()\s]+\1\s*\)/gi
/** Also applied inside of quotes, since programs disagree about where a string ends. */
const externalReference = /(?:script|data|https?)\s*:|\/\/|url\s*\(/i
const selectorCharacters = /^[\w\s.#,>+~*:()[\]="'|^$\-\u0080-\uffff]+$/
/** Programs parse nested parentheses recursively, and deep nesting crashes them. */
const deeplyNested = /(?:\([^()]*){5}/
const mediaRule = /^@media\s[\w\s(),:.-]+$/i

/** Matches an uploaded style that tries to load or run something, which the warning mentions. */
export const loadsResource = /@import|@font-face|url\s*\(\s*["']?(?![\s"'#])|expression\s*\(|\\/i

/** The unchanged value of a property; undefined if it could load or run something, or break out of its context. */
export function cleanValue(value: string): string | undefined {
  // Escapes can disguise any keyword; no drawing program writes them in a value.
  if (/[\\<{}@\u0000-\u0008\u000e-\u001f]/.test(value)) return undefined
  const withoutUrls = value.replace(localUrl, ' ')
  const bare = withoutUrls.replace(/"[^"]*"|'[^']*'/g, ' ')
  if (externalReference.test(withoutUrls) || /["']/.test(bare)) return undefined
  for (const [, name = ''] of bare.matchAll(/(?<![\w-])([\w-]*)\(/g)) {
    if (name && !allowedFunctions.has(name.toLowerCase())) return undefined
  }
  return value
}

/** The allowed declarations of a `style` attribute or a rule, joined by semicolons; empty if there are none. */
export function cleanDeclarations(css: string): string {
  const declarations: string[] = []
  for (const [property, text] of declarationsOf(withoutComments(css))) {
    const value = cleanValue(collapse(text))
    const isAllowed = allowedProperties.has(property.toLowerCase()) || /^--[\w-]+$/.test(property)
    if (isAllowed && value) declarations.push(`${property}:${value}`)
  }
  return declarations.join(';')
}

/** The allowed rules of a style sheet: plain rules, and `@media` blocks of plain rules. */
export function cleanSheet(css: string, { isInMedia = false } = {}): string {
  let rules = ''
  // Comment markers that once hid the sheet from old browsers have no meaning.
  for (const { prelude, block } of rulesOf(withoutComments(css).replace(/<!--|-->/g, ' '))) {
    if (mediaRule.test(prelude) && !isInMedia) {
      const inner = cleanSheet(block, { isInMedia: true })
      if (inner) rules += `${prelude}{${inner}}`
    } else if (isSelector(prelude)) {
      const declarations = cleanDeclarations(block)
      if (declarations) rules += `${prelude}{${declarations}}`
    }
  }
  return rules
}

function isSelector(prelude: string): boolean {
  return (
    selectorCharacters.test(prelude) &&
    !deeplyNested.test(prelude) &&
    !/["']/.test(prelude.replace(/=\s*(?:"[\w\s.#-]*"|'[\w\s.#-]*')/g, ''))
  )
}

/** The CSS without its comments; empty if one is not closed, since programs disagree about where it ends. */
export function withoutComments(css: string): string {
  const bare = withoutDelimited(css, '/*', '*/') ?? ''
  return bare.includes('/*') ? '' : bare
}

/** The top-level rules of a sheet without comments: the text before the braces, and the text in them, which is not parsed. */
export function* rulesOf(css: string): Generator<{ prelude: string; block: string }> {
  let position = 0
  while (position < css.length) {
    const open = indexOutside(css, position, '{;')
    // A statement without a block, such as an import, ends at its semicolon.
    const end = css[open] === '{' ? indexOutside(css, open + 1, '}') : open
    if (css[open] === '{')
      yield { prelude: collapse(css.slice(position, open)), block: css.slice(open + 1, end) }
    position = end + 1
  }
}

/** The declarations of a block without comments. The property is empty if there is no colon. */
export function* declarationsOf(css: string): Generator<[property: string, value: string]> {
  for (let position = 0, end = 0; position < css.length; position = end + 1) {
    end = indexOutside(css, position, ';')
    const declaration = css.slice(position, end)
    const colon = declaration.indexOf(':')
    yield [declaration.slice(0, Math.max(colon, 0)).trim(), declaration.slice(colon + 1)]
  }
}

/** The index of the first of the characters outside of quotes, parentheses and nested blocks; the length if there is none. */
function indexOutside(css: string, from: number, characters: string): number {
  let quote = ''
  let depth = 0
  for (let position = from; position < css.length; position++) {
    const character = css.charAt(position)
    if (quote) {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (depth === 0 && characters.includes(character)) return position
    else if (character === '(' || character === '{') depth++
    else if (character === ')' || character === '}') depth = Math.max(depth - 1, 0)
  }
  return css.length
}

/** The text with each run of whitespace as one space, and none at its ends. */
function collapse(css: string): string {
  return css.trim().replace(/\s+/g, ' ')
}
