// The types of views and their elements for the client, from the schema that also makes the page of the design format.
import { designParts, partsWithin, type DesignSchema as Schema } from '../../src/mcp/design-parts.ts'

/** Properties whose type the schema does not state exactly. */
const exactTypes: Record<string, string> = {
  'ViewElement.type': "'text' | 'image' | (string & {})",
  'ElementParameters.fill': 'string | string[] | false',
  'ElementParameters.filter': 'string | object',
}

function referenceOf(property: string): string | undefined {
  const within = partsWithin[property]
  return within ? `${within.part}${within.isList ? '[]' : ''}` : exactTypes[property]
}

const doc = ({ description, default: fallback }: Schema) => {
  const words = [description, fallback !== undefined && `Default: ${JSON.stringify(fallback)}.`].filter(
    Boolean,
  )
  return words.length === 0 ? '' : `  /** ${words.join(' ')} */\n`
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => simpleType(type, schema)).join(' | ')
}

function simpleType(type: string, schema: Schema): string {
  if (type === 'array') return `Array<${typeOf(schema.items ?? {})}>`
  return type === 'object' ? `{ ${membersOf('', schema).join('; ')} }` : type
}

const membersOf = (name: string, { properties = {}, required = [] }: Schema): string[] =>
  Object.entries(properties).map(
    ([key, schema]) =>
      `${key}${required.includes(key) ? '' : '?'}: ${referenceOf(`${name}.${key}`) ?? typeOf(schema)}`,
  )

/** The design stays open: whatever else is stored is kept. */
export const designTypes = Object.entries(designParts)
  .map(([name, schema]) => {
    const lines = membersOf(name, schema).map(
      (member, index) => `${doc(Object.values(schema.properties ?? {})[index] ?? {})}  ${member}\n`,
    )
    return `/** ${schema.description} */\nexport interface ${name} {\n${lines.join('')}  [property: string]: unknown\n}\n`
  })
  .join('\n')
