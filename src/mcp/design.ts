// What an agent needs to know to write designs: a schema of elements, parameters, views and print areas, and the rules in words.

const number = (description: string, more = {}) => ({ type: 'number', description, ...more })
const flag = (description: string) => ({ type: 'boolean', default: false, description })
const color = (description: string) => ({ type: 'string', description: `${description} As #rrggbb.` })
const choice = (values: readonly string[], standard: string, description: string) => ({
  type: 'string',
  enum: values,
  default: standard,
  description,
})

const box = (description: string, corner: readonly [string, string]) => ({
  type: 'object',
  description,
  properties: {
    [corner[0]]: number('Left edge, in pixels of the stage.'),
    [corner[1]]: number('Upper edge, in pixels of the stage.'),
    width: number('Pixels.', { exclusiveMinimum: 0 }),
    height: number('Pixels.', { exclusiveMinimum: 0 }),
  },
  required: ['width', 'height'],
})

const output = {
  type: 'object',
  description: 'The trimmed page in millimetres. Same ratio of width and height as the box, to 1 %.',
  properties: {
    width: number('Millimetres.', { exclusiveMinimum: 0, maximum: 50_000 }),
    height: number('Millimetres.', { exclusiveMinimum: 0, maximum: 50_000 }),
    bleed: number('Millimetres that are printed around the page and cut off.', { minimum: 0, maximum: 100 }),
  },
  required: ['width', 'height'],
}

/** Parameters of all elements. */
const common = {
  left: number('Horizontal place of the origin, in pixels of the stage from its left edge.', { default: 0 }),
  top: number('Vertical place of the origin, in pixels of the stage from its upper edge.', { default: 0 }),
  originX: choice(['left', 'center', 'right'], 'center', 'Which point of the element left means.'),
  originY: choice(['top', 'center', 'bottom'], 'center', 'Which point of the element top means.'),
  scaleX: number('Factor.', { default: 1, minimum: -1000, maximum: 1000 }),
  scaleY: number('Factor.', { default: 1, minimum: -1000, maximum: 1000 }),
  angle: number('Degrees, clockwise.', { default: 0 }),
  flipX: flag('Mirrored left to right.'),
  flipY: flag('Mirrored top to bottom.'),
  opacity: number('0 is invisible.', { default: 1, minimum: 0, maximum: 1 }),
  z: number('Position among the elements when it is inserted, 0 at the back; -1 on top.', { default: -1 }),
  topped: flag('Stays above all others.'),
  visible: { ...flag('Whether it is shown at all.'), default: true },
  excludeFromExport: flag('Shown on the stage, but not printed: the product itself.'),
  boundingBox: {
    description:
      'What the element is confined to: a rectangle, or the title of another element, or the id of a print area.',
    anyOf: [box('A rectangle of the stage.', ['x', 'y']), { type: 'string' }],
  },
  boundingBoxMode: choice(
    ['clipping', 'inside', 'limitModify', 'none'],
    'clipping',
    'Whether it is cut at its bounding box, or only kept inside while it is edited.',
  ),
  usePrintingBoxAsBounding: flag('Confined to the print area.'),
  stroke: color('Outline.'),
  strokeWidth: number('Pixels.', { default: 0, minimum: 0, maximum: 10_000 }),
  shadowColor: color('Without it there is no shadow.'),
  shadowBlur: number('Pixels.', { default: 0, minimum: 0, maximum: 1000 }),
  shadowOffsetX: number('Pixels.', { default: 0 }),
  shadowOffsetY: number('Pixels.', { default: 0 }),
  draggable: flag('Customers may move it.'),
  rotatable: flag('Customers may turn it.'),
  resizable: flag('Customers may scale it.'),
  removable: flag('Customers may delete it.'),
  price: number('What it adds to the price of the product.', { default: 0 }),
}

const text = {
  fontFamily: {
    type: 'string',
    default: 'Times New Roman',
    description: 'An uploaded family (list_fonts), or one of the system fonts.',
  },
  fontSize: number('Pixels of the stage.', { default: 18, minimum: 0, maximum: 10_000 }),
  fontWeight: choice(['normal', 'bold'], 'normal', 'Weight.'),
  fontStyle: choice(['normal', 'italic'], 'normal', 'Style.'),
  fill: color('Color of the text; black where there is none.'),
  textAlign: choice(['left', 'center', 'right', 'justify'], 'left', 'Of several lines.'),
  lineHeight: number('Factor of the font size.', { default: 1, minimum: 0, maximum: 100 }),
  letterSpacing: number('In tenths of an em.', { default: 0, minimum: -1000, maximum: 1000 }),
  textTransform: choice(['none', 'uppercase', 'lowercase', 'capitalize'], 'none', 'Case.'),
  underline: flag('Line below.'),
  textBox: flag('Words wrap at width, which is required then.'),
  width: number('Pixels at which the words of a text box wrap.', { minimum: 1 }),
  curved: flag('Runs on a circle.'),
  curveRadius: number('Pixels.', { default: 80, minimum: 1 }),
  curveReverse: flag('Runs on the lower half of the circle.'),
  editable: flag('Customers may change the words.'),
  maxLength: number('Most characters that customers may enter.'),
  textPlaceholder: {
    type: ['string', 'boolean'],
    description: 'Takes the name of each entry of names and numbers.',
  },
  numberPlaceholder: {
    type: ['array', 'string', 'boolean'],
    description: 'Takes the number of each entry; as an array, the least and the largest number.',
  },
}

const image = {
  fill: { description: 'A color as #rrggbb tints the picture; an array colors the shapes of a drawing.' },
  colorMode: choice(['tint', 'multiply', 'none'], 'tint', 'How the color is applied.'),
  filter: {
    description: 'grayscale, sepia, black_white or another filter, or a filter of fabric.js with its values.',
  },
  uploadZone: flag('A place into which customers put a picture of theirs; not printed itself.'),
  replace: {
    type: 'string',
    description: 'Name of the group in which one picture takes the place of another.',
  },
}

const element = (kind: string, source: string, parameters: object) => ({
  type: 'object',
  properties: {
    type: { const: kind },
    source: { type: 'string', description: source },
    title: { type: 'string', description: 'Unique in its view: other elements and messages name it.' },
    parameters: { type: 'object', properties: { ...common, ...parameters } },
  },
  required: ['type', 'source', 'title', 'parameters'],
})

/** JSON Schema of a view. Views keep properties that it does not name, so it forbids none. */
export const designSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'View',
  description: 'A side of a product, as create and update tools of views and orders take it.',
  type: 'object',
  properties: {
    title: { type: 'string', description: 'Such as Front.' },
    thumbnail: { type: 'string', description: 'URL.' },
    elements: {
      type: 'array',
      maxItems: 2000,
      description: 'From back to front. A shape is an image: an SVG of the library or a data: URL.',
      items: {
        anyOf: [
          element('text', 'The words.', text),
          element(
            'image',
            'URL of a picture or drawing: an asset of this shop (list_assets, upload_asset).',
            image,
          ),
        ],
      },
    },
    options: {
      type: 'object',
      description: 'The stage of the view, and what of it is printed.',
      properties: {
        stageWidth: number('Pixels of the stage.', { minimum: 1, maximum: 20_000 }),
        stageHeight: number('Pixels of the stage.', { minimum: 1, maximum: 20_000 }),
        printingBox: box('What of the stage is printed.', ['left', 'top']),
        output,
        printAreas: {
          type: 'array',
          description: 'In place of printingBox, where a view is printed in several parts.',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string', description: 'What elements name as their boundingBox.' },
              name: { type: 'string', description: 'For people.' },
              printingBox: box('What of the stage is printed.', ['left', 'top']),
              output,
              excludeFromExport: flag('Shown, but not printed.'),
              exportOnly: flag('Printed, but not shown to customers.'),
            },
            required: ['id', 'printingBox'],
          },
        },
      },
    },
    names_numbers: {
      type: 'array',
      description: 'Of an order: one print for each entry.',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, number: { type: ['string', 'number'] } },
      },
    },
  },
  required: ['title', 'elements', 'options'],
} as const

/** A small view by this schema, for the rules and for the documents. */
export const designExample = {
  title: 'Front',
  elements: [
    {
      type: 'text',
      source: 'Hello',
      title: 'Greeting',
      parameters: { left: 200, top: 210, fontFamily: 'Arial', fontSize: 24, fill: '#333333' },
    },
  ],
  options: {
    stageWidth: 400,
    stageHeight: 400,
    printingBox: { left: 150, top: 150, width: 100, height: 120 },
    output: { width: 200, height: 240, bleed: 3 },
  },
}

/** URI of the MCP resource that contains `designSchema`. */
export const schemaUri = 'svc://design-schema'

/** The text of the MCP prompt `design-rules`. */
export const designRules = `How designs of this shop are written. The resource ${schemaUri} has every property with its range and default.

1. A product has views (sides). Each view has a stage measured in pixels from its upper left corner, and elements from back to front.
2. left and top place the center of an element unless originX and originY say otherwise. Sizes are pixels of the stage times scaleX and scaleY.
3. What is printed is options.printingBox. options.output is its size in millimetres, and must have the same ratio of width and height. Let backgrounds reach beyond the box by the bleed.
4. The picture of the product itself comes first and has excludeFromExport: true.
5. Confine what customers move: boundingBox with the rectangle of the print area, boundingBoxMode clipping.
6. Use fonts of list_fonts, pictures of list_assets, and colors of get_color_library. For sharp prints a picture needs about 12 pixels for each printed millimetre (300 dpi).
7. elements replaces all elements of a view: read them first, change them, and send all of them. options is merged.
8. Elements are text or image. A shape is an image: an SVG of the library or a data: URL. Give each element of a view a title of its own.
9. Look at meta.warnings of the result: it names what cannot be drawn. Then look at get_view_preview.

A small view:
${JSON.stringify(designExample)}`
