// The parts of the design format by name. They become components of the OpenAPI document and types of the client.
import { designExample, designSchema } from './design.ts'

/** A schema of the design format. */
export interface DesignSchema {
  type?: string | readonly string[]
  enum?: readonly string[]
  const?: unknown
  anyOf?: readonly DesignSchema[]
  items?: DesignSchema
  properties?: Record<string, DesignSchema>
  required?: readonly string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

const { properties } = designSchema
const [text, image] = properties.elements.items.anyOf

/** Parameters that may also be objects, such as gradients, which the schema for agents does not mention. */
const paints = ['fill', 'stroke', 'filter']

/** The parts of the design format. */
export const designParts: Readonly<Record<string, DesignSchema>> = {
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
    properties: {
      ...image.properties.parameters.properties,
      ...text.properties.parameters.properties,
      fill: {
        type: 'string',
        description:
          'Color of a text, or tint of a picture, as #rrggbb; an array colors the shapes of a drawing. Texts without it are black.',
      },
    },
  },
}

/** Properties that are another part, or a list of parts, as `Part.property`. */
export const partsWithin: Readonly<Record<string, { part: string; isList?: true }>> = {
  'DesignView.elements': { part: 'ViewElement', isList: true },
  'DesignView.options': { part: 'ViewOptions' },
  'ViewOptions.printAreas': { part: 'PrintArea', isList: true },
  'ViewOptions.output': { part: 'PageOutput' },
  'PrintArea.output': { part: 'PageOutput' },
  'ViewElement.parameters': { part: 'ElementParameters' },
}

/** Examples of parts. */
const examples: Readonly<Record<string, object | undefined>> = {
  DesignView: designExample,
  ViewElement: designExample.elements[0],
  ViewOptions: designExample.options,
}

/** The document's reference to a part. */
export const partReference = (part: string) => ({ $ref: `#/components/schemas/${part}` })

/** Whether a reference of the document leads to a part of a design. */
export const isPart = ({ $ref }: { $ref?: string }): boolean =>
  $ref !== undefined && Object.hasOwn(designParts, $ref.slice($ref.lastIndexOf('/') + 1))

/**
 * Schemas of the parts for the OpenAPI document. Designs are stored as they were sent, so the schemas forbid nothing: choices, ranges
 * and defaults are text in descriptions, so that no generated client refuses or changes a stored design.
 */
export const designComponents: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(designParts).map(([name, { description, properties = {} }]) => [
    name,
    {
      type: 'object',
      description,
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, schema]) => [
          key,
          paints.includes(key)
            ? { description: schema.description }
            : openSchema(schema, partsWithin[`${name}.${key}`]),
        ]),
      ),
      additionalProperties: true,
      ...(examples[name] && { examples: [examples[name]] }),
    },
  ]),
)

/** The schema without limits. @param within the part that it is, if it is one */
function openSchema(schema: DesignSchema, within?: { part: string; isList?: true }): object {
  const { type, items, properties, anyOf } = schema
  const description = fullDescription(schema)
  if (within?.isList) return { type: 'array', description, items: partReference(within.part) }
  if (within) return { description, ...partReference(within.part) }
  if (anyOf) return { description }
  return {
    ...(type !== undefined && { type }),
    description,
    ...([type].flat().includes('array') && { items: items ? openSchema(items) : {} }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, property]) => [key, openSchema(property)]),
      ),
      additionalProperties: true,
    }),
  }
}

/** The description of a schema, with its choices, limits and default. */
function fullDescription({
  description = '',
  enum: choices,
  default: defaultValue,
  ...limits
}: DesignSchema): string {
  const { minimum, maximum, exclusiveMinimum } = limits
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
  ].filter(Boolean)
  const bound = bounds.join(', ')
  return [
    description,
    choices && `One of ${choices.join(', ')}.`,
    bound && `${bound.charAt(0).toUpperCase()}${bound.slice(1)}.`,
    defaultValue !== undefined && `Default: ${JSON.stringify(defaultValue)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
