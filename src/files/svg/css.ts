// Sanitizes the CSS of a drawing: only declarations and rules that are fully understood are kept.
import { allowedProperties } from './allowed.ts'
import { withoutDelimited } from './xml-text.ts'

const allowedFunctions = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var matrix matrix3d
  translate translatex translatey scale scalex scaley rotate skew skewx skewy perspective cubic-bezier steps blur
  brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia polygon circle ellipse inset path
  icc-color device-cmyk`.split(/\s+/),
)
const localUrl = /url\(\s*(["']?)#[^"'()\s]+\1\s*\)/gi
// Also applied inside quotes, since programs disagree about where a string ends.
const externalReference = /(?:script|data|https?)\s*:|\/\/|url\s*\(/i
const selectorCharacters = /^[\w\s.#,>+~*:()[\]="'|^$\-\u0080-\uffff]+$/
// Programs parse nested parentheses recursively, and deep nesting crashes them.
const deeplyNested = /(?:\([^()]*){5}/
const mediaRule = /^@media\s[\w\s(),:.-]+$/i

/** Whether an uploaded style tries to load or run something. */
export const loadsResource = /@import|@font-face|url\s*\(\s*["']?(?![\s"'#])|expression\s*\(|\\/i

/** The value of a property; undefined if it could load or run something, or break out of its context. */
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

/** The allowed declarations of a `style` attribute or a rule. */
export function cleanDeclarations(css: string): string {
  const declarations: string[] = []
  for (const [property, written] of declarationsOf(withoutComments(css))) {
    const value = cleanValue(collapse(written))
    const isAllowed = allowedProperties.has(property.toLowerCase()) || /^--[\w-]+$/.test(property)
    if (isAllowed && value) declarations.push(`${property}:${value}`)
  }
  return declarations.join(';')
}

/** The allowed rules of a style sheet: plain rules, and `@media` blocks of plain rules. */
export function cleanSheet(css: string, nested = false): string {
  let sheet = ''
  // Comment markers that once hid the sheet from old browsers have no meaning.
  for (const { prelude, block } of rulesOf(withoutComments(css).replace(/<!--|-->/g, ' '))) {
    if (mediaRule.test(prelude) && !nested) {
      const inner = cleanSheet(block, true)
      if (inner) sheet += `${prelude}{${inner}}`
    } else if (isSelector(prelude)) {
      const declarations = cleanDeclarations(block)
      if (declarations) sheet += `${prelude}{${declarations}}`
    }
  }
  return sheet
}

function isSelector(prelude: string): boolean {
  return (
    selectorCharacters.test(prelude) &&
    !deeplyNested.test(prelude) &&
    !/["']/.test(prelude.replace(/=\s*(?:"[\w\s.#-]*"|'[\w\s.#-]*')/g, ''))
  )
}

/** A style with an unclosed comment counts as empty, since programs disagree about where the comment ends. */
export function withoutComments(css: string): string {
  const bare = withoutDelimited(css, '/*', '*/') ?? ''
  return bare.includes('/*') ? '' : bare
}

/** The top-level rules of a sheet without comments. Blocks are not parsed. */
export function* rulesOf(css: string): Generator<{ prelude: string; block: string }> {
  let at = 0
  while (at < css.length) {
    const open = indexOutside(css, at, '{;')
    // A statement without a block, such as an import, ends at its semicolon.
    const end = css[open] === '{' ? indexOutside(css, open + 1, '}') : open
    if (css[open] === '{') yield { prelude: collapse(css.slice(at, open)), block: css.slice(open + 1, end) }
    at = end + 1
  }
}

/** The declarations of a block without comments. One without a colon has an empty name. */
export function* declarationsOf(css: string): Generator<[property: string, value: string]> {
  for (let at = 0, end = 0; at < css.length; at = end + 1) {
    end = indexOutside(css, at, ';')
    const declaration = css.slice(at, end)
    const colon = declaration.indexOf(':')
    yield [declaration.slice(0, Math.max(colon, 0)).trim(), declaration.slice(colon + 1)]
  }
}

/** The index of the first of `marks` outside quotes, parentheses and nested blocks; the length if there is none. */
function indexOutside(css: string, from: number, marks: string): number {
  let quote = ''
  let depth = 0
  for (let at = from; at < css.length; at++) {
    const character = css.charAt(at)
    if (quote) {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (depth === 0 && marks.includes(character)) return at
    else if (character === '(' || character === '{') depth++
    else if (character === ')' || character === '}') depth = Math.max(depth - 1, 0)
  }
  return css.length
}

function collapse(css: string): string {
  return css.trim().replace(/\s+/g, ' ')
}
