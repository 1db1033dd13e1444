// Reads the entities that a drawing's DOCTYPE declares. Drawing programs use plain ones as shorthands for namespaces.
import { FileRejected } from '../rejected.ts'
import { withoutDelimited } from './xml-text.ts'

const maxEntities = 100
/** Characters of the value of one entity. */
const maxValueLength = 1000
/** Characters of all values that the drawing's references expand to. */
const maxExpandedLength = 1_000_000
const characterReference = /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi
const predefinedEntities = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])

/**
 * The values of the declared entities by name, in an object without a prototype. Throws FileRejected for entities that load a
 * file, refer to other entities, contain markup, or expand to too many characters.
 * @param doctype the text of the DOCTYPE
 * @param drawing the whole file, whose references are counted
 */
export function declaredEntities(doctype: string, drawing: string): Record<string, string> {
  const entities: Record<string, string> = Object.create(null)
  const subset = withoutDelimited(doctype.slice(doctype.indexOf('[') + 1), '<!--', '-->') ?? doctype
  if (!doctype.includes('[') || !subset.includes('<!ENTITY')) return entities

  const declarations = subset.split('<!ENTITY').slice(1)
  if (declarations.length > maxEntities) throw new FileRejected('The drawing declares too many entities.')
  for (const declaration of declarations) {
    const [, name, quoted] = /^\s+([\w:.-]{1,100})\s+("[^"]*"|'[^']*')\s*>/.exec(declaration) ?? []
    const value = quoted
      ?.slice(1, -1)
      .replace(characterReference, (_, hex, decimal) => character(hex, decimal))
    if (!name || value === undefined || /[&%<]/.test(value) || value.length > maxValueLength) {
      throw new FileRejected('The drawing declares entities that are not short plain strings.')
    }
    // The first declaration of a name counts, and the five predefined entities keep their meaning.
    if (!predefinedEntities.has(name) && !(name in entities)) entities[name] = value
  }
  assertExpansion(entities, drawing)
  return entities
}

/** The character of a numeric reference; "&", which is refused later, for control characters and codes from U+D800 on. */
function character(hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const isAllowed = code >= 0x20 && code < 0xd800
  return isAllowed ? String.fromCodePoint(code) : '&'
}

/** @throws FileRejected if the references in the drawing expand to too many characters */
function assertExpansion(entities: Record<string, string>, drawing: string): void {
  let length = 0
  for (const [, name = ''] of drawing.matchAll(/&([\w:.-]{1,100});/g)) {
    length += entities[name]?.length ?? 0
    if (length > maxExpandedLength)
      throw new FileRejected('The entities of the drawing expand to too many characters.')
  }
}
