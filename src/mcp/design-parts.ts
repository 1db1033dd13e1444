// The parts of a design by name: components of the OpenAPI document, and types of the client.
import { designExample, designSchema } from './design.ts'

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
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}
export type DesignSchema = Schema

const { properties } = designSchema
const [text, image] = properties.elements.items.anyOf

/** Parameters that may also be objects, such as gradients, which the schema for agents does not mention. */
const paints = ['fill', 'stroke', 'filter']

export const designParts: Readonly<Record<string, Schema>> = {
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

/** Properties that are another part, or a list of parts. */
export const partsWithin: Readonly<Record<string, { part: string; isList?: true }>> = {
  'DesignView.elements': { part: 'ViewElement', isList: true },
  'DesignView.options': { part: 'ViewOptions' },
  'ViewOptions.printAreas': { part: 'PrintArea', isList: true },
  'ViewOptions.output': { part: 'PageOutput' },
  'PrintArea.output': { part: 'PageOutput' },
  'ViewElement.parameters': { part: 'ElementParameters' },
}

/** Designs that fill parts in examples. */
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
 * Schemas of the parts. They describe what is drawn and forbid nothing, because designs are stored as they were sent:
 * choices, ranges and defaults are words, so that no generated client refuses or changes what it read.
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

function openSchema(schema: Schema, within?: { part: string; isList?: true }): object {
  const { type, items, properties, anyOf } = schema
  const description = wordsOf(schema)
  if (within?.isList) return { type: 'array', description, items: partReference(within.part) }
  if (within) return { description, ...partReference(within.part) }
  if (anyOf) return { description }
  return {
    ...(type !== undefined && { type }),
    description,
    ...([type].flat().includes('array') && { items: items ? openSchema(items) : {} }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, each]) => [key, openSchema(each)]),
      ),
      additionalProperties: true,
    }),
  }
}

function wordsOf({ description = '', enum: choices, default: standard, ...limits }: Schema): string {
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
    standard !== undefined && `Default: ${JSON.stringify(standard)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
