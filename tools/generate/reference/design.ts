// design.md: how a view is written, from the schema that agents get.
import { designExample, designSchema } from '../../../src/mcp/design.ts'
import { block, code, pageHead, prose, table } from './markdown.ts'

interface Property {
  type?: string | readonly string[]
  description?: string
  default?: unknown
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

/** Rows of a table: name, kind of value, default, meaning. */
const rowsOf = (properties: Record<string, Property>): string[][] =>
  Object.entries(properties).map(([name, property]) => [
    code(name),
    kindOf(property),
    property.default === undefined ? '' : code(JSON.stringify(property.default)),
    prose(property.description ?? ''),
  ])

function kindOf({ type, enum: choices, minimum, maximum, exclusiveMinimum }: Property): string {
  if (choices) return choices.map(code).join(', ')
  const bounds = [
    minimum !== undefined && `from ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `to ${maximum}`,
  ].filter(Boolean)
  return [[type ?? []].flat().join(' or '), ...bounds].join(' ').trim()
}

const propertyTable = (properties: Record<string, Property>) =>
  table(['Property', 'Value', 'Default', 'Meaning'], rowsOf(properties))

export function designPage(): string {
  const { elements, options } = designSchema.properties
  const [text, image] = elements.items.anyOf.map(
    ({ properties }) => properties.parameters.properties as Record<string, Property>,
  )
  const isCommon = ([name]: [string, Property]) => Object.hasOwn(image ?? {}, name) && name !== 'fill'
  const common = Object.fromEntries(Object.entries(text ?? {}).filter(isCommon))
  const specific = (all: Record<string, Property> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(common, name)))
  const { printingBox, output, printAreas } = options.properties
  const intro = `A design is a list of views, and a view is one side of a product: a stage in pixels, elements on it, and the rectangle
of the stage that is printed. The same form is stored in \`svc_views\` for products and in orders for customers. Properties that
this page does not name are kept as they were sent.

Elements are of type \`text\` or \`image\`. A shape is an image: an SVG of the library or a data: URL.`
  return `${pageHead('Design format', 'the schema of designs', intro)}
## A small view

${block('json', JSON.stringify(designExample, null, 2))}
The stage is 400 by 400 pixels. The rectangle of 100 by 120 pixels at (150, 150) is printed as a page of 200 by 240 mm, with
3 mm of bleed around it. One pixel of the stage is therefore 2 mm on paper, and a text of 24 pixels is 48 mm high. The stage is
printed sharp at any size: texts and drawings are vectors, and pictures keep their pixels.

## Options of a view

${table(
  ['Property', 'Value', 'Meaning'],
  [
    [code('stageWidth'), 'number', 'Width of the stage in pixels.'],
    [code('stageHeight'), 'number', 'Height of the stage in pixels.'],
    [code('printingBox'), 'object', prose(`${printingBox.description} In pixels: left, top, width, height.`)],
    [code('output'), 'object', prose(output.description)],
    [code('printAreas'), 'array', prose(printAreas.description)],
  ],
)}
### output

${propertyTable(output.properties as Record<string, Property>)}
### printAreas

Each area becomes a page. An area may have its own \`output\`; without it that of the view applies.

${propertyTable(printAreas.items.properties as Record<string, Property>)}
## Elements

An element has \`type\` (\`text\` or \`image\`), \`source\`, \`title\` and \`parameters\`. The source of a text is its words, that of an image the
URL of a picture or drawing. Elements are painted in their order, the first one at the back.

### Parameters of all elements

${propertyTable(common)}
### Parameters of texts

${propertyTable(specific(text))}
### Parameters of images

${propertyTable(specific(image))}
## Names and numbers

A view of an order may have \`names_numbers\`, a list of \`{ "name", "number" }\`. Each entry is printed once, on
sheets as well; a warning says if there are more or fewer entries than pieces. Texts with \`textPlaceholder\` take its name, those
with \`numberPlaceholder\` its number.
`
}
