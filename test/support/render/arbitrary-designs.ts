// Designs at random over every property that the renderer draws, for comparison with the browser.
import fc, { type Arbitrary } from 'fast-check'
import { arbitraryDrawing } from './arbitrary-drawings.ts'
import type { TestDesign } from './design-parts.ts'

export interface RandomDesign extends TestDesign {
  /** Drawings of this design by the names in its elements. */
  drawings: Record<string, Buffer>
}

type Parameters = Record<string, unknown>

interface RandomElement {
  title: string
  source: string
  type: string
  parameters: Parameters
  svg?: string
}

const some = <T extends Record<string, Arbitrary<unknown>>>(properties: T) =>
  fc.record(properties, { requiredKeys: [] })
const hundredths = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((value) => value / 100)

const color = fc.oneof(
  fc.constantFrom('#000000', '#c0392b', '#2980b9', '#27ae60', '#f1c40f', '#8e44ad', '#fff', 'teal'),
  fc
    .tuple(...[255, 255, 255].map((max) => fc.nat({ max })), fc.constantFrom(0.3, 0.6, 1))
    .map((parts) => `rgba(${parts.join(',')})`),
)

const position = {
  left: hundredths(200, 400),
  top: hundredths(150, 300),
}
const common = {
  angle: fc.constantFrom(0, 0, 0, 12, 45, 90, 133.7, 180, 270, -30),
  flipX: fc.boolean(),
  flipY: fc.boolean(),
  opacity: fc.constantFrom(1, 0.8, 0.5, 0.2, 0),
}
const skew = some({ skewX: fc.integer({ min: -40, max: 40 }), skewY: fc.integer({ min: -40, max: 40 }) })
const origin = fc.record({
  originX: fc.constantFrom('left', 'center', 'right'),
  originY: fc.constantFrom('top', 'center', 'bottom'),
})
/** An element is skewed, or hangs on another point than its center. */
const hold = fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, skew, origin)

const shadow = fc
  .record({
    shadowColor: color,
    shadowBlur: fc.constantFrom(0, 0, 3, 10, 25),
    shadowOffsetX: fc.integer({ min: -20, max: 20 }),
    shadowOffsetY: fc.integer({ min: -20, max: 20 }),
  })
  .filter(({ shadowBlur, shadowOffsetX, shadowOffsetY }) => shadowBlur + shadowOffsetX + shadowOffsetY !== 0)

const rectangle = fc.record({
  x: hundredths(120, 280),
  y: hundredths(90, 200),
  width: hundredths(60, 250),
  height: hundredths(60, 200),
  borderRadius: fc.constantFrom(0, 0, 12, 40),
})
const clip = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  { arbitrary: fc.record({ boundingBox: rectangle }), weight: 1 },
  { arbitrary: fc.constant({ usePrintingBoxAsBounding: true }), weight: 1 },
  {
    arbitrary: fc.record({
      boundingBox: fc.constantFrom('E0', 'E1'),
      boundingBoxMode: fc.constantFrom('clipping', 'inside', 'limitModify'),
    }),
    weight: 1,
  },
)
const order = some({ z: fc.integer({ min: -1, max: 3 }), topped: fc.boolean() })
const maybe = (properties: Arbitrary<Parameters>, weight = 3): Arbitrary<Parameters> =>
  fc.oneof({ arbitrary: fc.constant({}), weight }, { arbitrary: properties, weight: 1 })
const merged = (...parts: Arbitrary<Parameters>[]): Arbitrary<Parameters> =>
  fc.tuple(...parts).map((each) => Object.assign({}, ...each))

const latin = [
  'Hamburgefonstiv',
  'AVATAR To WAVE. Ty, We',
  'office fluffy',
  'Two\nlines',
  'First line\n\nthird, after an empty one',
  ' leading and  double ',
  'Tab\there',
  'Ünïcödé – “quotes” … ½ € №',
  'no\u00a0break',
  '0123456789 +-=/%&@#',
  'iiii\nWWWW\nm',
  'x',
  ' ',
  'The quick brown fox jumps over the lazy dog again and again',
  'e\u0301 a\u0308 n\u0303',
]
const others = [
  'Ελληνικά κείμενο',
  'Русский текст',
  'שלום עולם',
  'مرحبا بالعالم',
  'Привет\nмир, Ёлка',
  'סוף\nשורה',
]
const words = fc.oneof(
  {
    arbitrary: fc.record({
      text: fc.constantFrom(...latin),
      fontFamily: fc.constant('Liberation Sans'),
      fontWeight: fc.constantFrom('normal', 'bold'),
      fontStyle: fc.constantFrom('normal', 'italic'),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      text: fc.constantFrom(...latin),
      fontFamily: fc.constantFrom('DejaVu Serif', 'DejaVu Sans'),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({ text: fc.constantFrom(...others), fontFamily: fc.constant('DejaVu Sans') }),
    weight: 1,
  },
)

const textLooks = some({
  lineHeight: fc.constantFrom(1, 0.8, 1.16, 1.5, 2),
  letterSpacing: fc.constantFrom(0, 0.5, 2, 5, -0.5),
  textAlign: fc.constantFrom('left', 'center', 'right', 'justify'),
  fill: fc.oneof({ arbitrary: color, weight: 6 }, fc.constant('transparent')),
  textDecoration: fc.constantFrom('underline', 'line-through', 'overline', 'underline overline'),
  textBackgroundColor: color,
})
/** Poppler joins wide strokes of small letters otherwise than other readers of PDF. */
const stroke = fc.record({ stroke: color, strokeWidth: fc.constantFrom(0, 1, 2.5) })
const scales = fc.oneof(
  hundredths(0.5, 2).map((scale) => ({ scaleX: scale, scaleY: scale })),
  fc.record({ scaleX: hundredths(0.4, 2), scaleY: hundredths(0.4, 2) }),
  fc.constant({}),
)
const sized = fc.record({ fontSize: fc.constantFrom(12, 18, 24, 36.5, 48, 72, 110) })
const curve = fc.record({
  curved: fc.constant(true),
  curveRadius: fc.constantFrom(40, 80, 120.5, 200),
  curveReverse: fc.boolean(),
  text: fc.constantFrom('AROUND', 'Curved text, longer', 'fi AV To', 'שלום עולם', 'e\u0301 a\u0308'),
  fontFamily: fc.constant('DejaVu Sans'),
  textAlign: fc.constantFrom('center', 'left', 'right'),
})
const box = fc.record({ textBox: fc.constant(true), width: fc.constantFrom(60, 150, 260, 400) })

const characterStyle = some({
  fill: color,
  fontSize: fc.constantFrom(10, 20, 44, 80),
  fontFamily: fc.constantFrom('DejaVu Sans', 'DejaVu Serif'),
  underline: fc.boolean(),
  linethrough: fc.boolean(),
  deltaY: fc.integer({ min: -20, max: 20 }),
  textBackgroundColor: color,
  stroke: color,
  strokeWidth: fc.constantFrom(0, 1, 2.5),
})
const styles = fc
  .array(fc.tuple(fc.nat({ max: 6 }), fc.integer({ min: 1, max: 8 }), characterStyle), { maxLength: 4 })
  .map((ranges) => {
    let at = 0
    return ranges.map(([gap, length, style]) => {
      const start = at + gap
      at = start + length
      return { start, end: at, style }
    })
  })
const blend = fc.record({
  globalCompositeOperation: fc.constantFrom('multiply', 'screen', 'darken', 'overlay', 'difference'),
})

const text: Arbitrary<RandomElement> = merged(
  fc.record(position),
  some(common),
  words,
  sized,
  textLooks,
  scales,
  hold,
  clip,
  order,
  maybe(stroke),
  maybe(shadow),
  fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, curve, box),
  maybe(fc.record({ styles }), 2),
  maybe(blend, 8),
).map((parameters) => {
  // Of each family only these variants are uploaded.
  if (parameters.fontFamily !== 'Liberation Sans') {
    delete parameters.fontWeight
    delete parameters.fontStyle
  }
  return { title: '', source: String(parameters.text), type: 'text', parameters }
})

const filter = fc.oneof(
  fc.constantFrom(
    ...['grayscale', 'sepia', 'kodachrome', 'black_white', 'vintage', 'technicolor', 'removewhite'],
  ),
  hundredths(-1, 1).map((brightness) => ({ type: 'brightness', brightness })),
  hundredths(-1, 1).map((contrast) => ({ type: 'contrast', contrast })),
  fc.array(hundredths(-0.5, 1.2), { minLength: 20, maxLength: 20 }),
)
const tint = fc.record({ fill: color, colorMode: fc.constantFrom('tint', 'multiply', 'none') })
const crop = fc.record({
  cropX: fc.integer({ min: 1, max: 60 }),
  cropY: fc.integer({ min: 1, max: 60 }),
  width: fc.integer({ min: 40, max: 110 }),
  height: fc.integer({ min: 40, max: 90 }),
})

const picture: Arbitrary<RandomElement> = fc
  .tuple(
    fc.constantFrom('photo.jpg', 'turned.jpg', 'gray.jpg', 'logo.png'),
    merged(
      fc.record(position),
      some(common),
      scales,
      // Poppler's pdftoppm loses some skewed pictures, which pdftocairo and MuPDF draw.
      maybe(origin),
      clip,
      order,
      maybe(stroke),
      maybe(shadow),
      fc.oneof(fc.constant({}), fc.record({ filter }), tint),
      maybe(crop),
    ),
  )
  .map(([source, parameters]) => ({ title: '', source, type: 'image', parameters }))

const drawing: Arbitrary<RandomElement> = fc
  .tuple(
    arbitraryDrawing,
    merged(
      fc.record(position),
      some(common),
      scales,
      hold,
      clip,
      order,
      maybe(shadow),
      maybe(fc.record({ svgFill: fc.array(color, { minLength: 1, maxLength: 4 }) })),
    ),
  )
  .map(([svg, parameters]) => ({ title: '', source: '', type: 'image', parameters, svg }))

const element = fc.oneof({ arbitrary: text, weight: 4 }, { arbitrary: picture, weight: 3 }, drawing)

export const arbitraryDesign: Arbitrary<RandomDesign> = fc
  .tuple(fc.array(element, { minLength: 1, maxLength: 4 }), fc.constantFrom(0, 0, 5.08))
  .map(([elements, bleed]) => {
    const drawings: Record<string, Buffer> = {}
    const named = elements.map(({ svg, ...element }, index) => {
      if (svg === undefined) return { ...element, title: `E${index}` }
      const source = `random-${index}.svg`
      drawings[source] = Buffer.from(svg)
      return { ...element, title: `E${index}`, source }
    })
    return { name: 'random', elements: named, bleed, drawings }
  })
