// The types of views and their elements for the client, from the schema that also makes the page of the design format.
import { designSchema } from '../../src/mcp/design.ts'

interface Schema {
  type?: string | readonly string[]
  enum?: readonly string[]
  const?: unknown
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  description?: string
  default?: unknown
}

const { properties } = designSchema
const [text, image] = properties.elements.items.anyOf

/** Schemas by the names of their types. */
const named: Record<string, Schema> = {
  DesignView: { ...designSchema, description: 'A side of a product or of an order.' },
  ViewOptions: { ...properties.options, description: 'The stage of a view, and what of it is printed.' },
  PrintArea: {
    ...properties.options.properties.printAreas.items,
    description: 'A part of the stage that is printed.',
  },
  PageOutput: properties.options.properties.output,
  ViewElement: {
    type: 'object',
    description: 'A text, picture or drawing on the stage of a view.',
    properties: {
      type: { type: 'string', description: 'text or image.' },
      source: { type: 'string', description: 'The words of a text, or the URL of a picture or drawing.' },
      title: text.properties.title,
      parameters: { type: 'object', description: 'Its look, its place, and what customers may do with it.' },
    },
    required: text.required,
  },
  ElementParameters: {
    type: 'object',
    description: 'How an element looks, where it stands, and what customers may do with it.',
    properties: { ...image.properties.parameters.properties, ...text.properties.parameters.properties },
  },
}

/** Where a property has one of these types. */
const references: Record<string, string> = {
  'DesignView.elements': 'ViewElement[]',
  'DesignView.options': 'ViewOptions',
  'ViewOptions.printAreas': 'PrintArea[]',
  'ViewOptions.output': 'PageOutput',
  'PrintArea.output': 'PageOutput',
  'ViewElement.type': "'text' | 'image' | (string & {})",
  'ViewElement.parameters': 'ElementParameters',
  'ElementParameters.fill': 'string | string[] | false',
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
      `${key}${required.includes(key) ? '' : '?'}: ${references[`${name}.${key}`] ?? typeOf(schema)}`,
  )

/** The design stays open: whatever else is stored is kept. */
export const designTypes = Object.entries(named)
  .map(([name, schema]) => {
    const lines = membersOf(name, schema).map(
      (member, index) => `${doc(Object.values(schema.properties ?? {})[index] ?? {})}  ${member}\n`,
    )
    return `/** ${schema.description} */\nexport interface ${name} {\n${lines.join('')}  [property: string]: unknown\n}\n`
  })
  .join('\n')

/** Types of properties that the document leaves open, by the schema's name. */
export const designReferences: Record<string, Record<string, string>> = {
  AddProductViewBody: { elements: 'ViewElement[]', options: 'ViewOptions' },
  UpdateViewBody: { elements: 'ViewElement[]', options: 'ViewOptions' },
  View: { elements: 'ViewElement[] | null', options: 'ViewOptions | null' },
  CreateShortcodeOrderBody: { views: 'DesignView[]' },
  UpdateShortcodeOrderBody: { views: 'DesignView[]' },
  ShortcodeOrder: { views: 'DesignView[] | null' },
}
