// Reads the entities that a drawing's DOCTYPE declares. Drawing programs use plain ones as shorthands for namespaces.
import { FileRejected } from '../rejected.ts'
import { withoutDelimited } from './xml-text.ts'

const maxEntities = 100
const maxValueLength = 1000
const maxExpandedLength = 1_000_000
const characterReference = /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi
const predefinedEntities = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])

/**
 * Returns plain strings by entity name, without a prototype. Throws FileRejected for entities that load a file, refer to other
 * entities, contain markup, or expand to too many characters.
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

/** Decodes a numeric character reference, such as a no-break space; "&" stands for a character that is not allowed. */
function character(hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const allowed = code >= 0x20 && code < 0xd800
  return allowed ? String.fromCodePoint(code) : '&'
}

function assertExpansion(entities: Record<string, string>, drawing: string): void {
  let length = 0
  for (const [, name = ''] of drawing.matchAll(/&([\w:.-]{1,100});/g)) {
    length += entities[name]?.length ?? 0
    if (length > maxExpandedLength)
      throw new FileRejected('The entities of the drawing expand to too many characters.')
  }
}
