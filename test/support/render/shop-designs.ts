/** Designs as customers make them: cards, shirts, mugs, stickers, posters; with what the designer offers for each element. */
import fc from 'fast-check'
import { output, printingBox } from './design-parts.ts'

const family = fc.constantFrom(
  ...[
    'Liberation Sans',
    'DejaVu Sans',
    'DejaVu Serif',
    'Arial',
    'Helvetica',
    'Times New Roman',
    'Verdana',
    'Georgia',
  ],
  ...['Courier New', 'Geneva', 'Arial, sans-serif', '"Open Sans", Helvetica, sans-serif'],
  ...['Calibri', 'Cambria', 'Comic Sans MS', 'Impact', 'Trebuchet MS', 'Tahoma', 'Palatino Linotype'],
)
const words = fc.constantFrom(
  ...[
    'Ada Lovelace',
    'Happy Birthday 🎉',
    'TEAM 2026',
    'Grüße aus Köln',
    'Žluťoučký kůň',
    'שלום עולם, 2026!',
    'مرحبا 12',
  ],
  ...[
    'I ❤ NY',
    '№ 7 — “Best”',
    'Line one\nLine two',
    '+49 (0)221 12345',
    'info@shop.example',
    'Ελληνικά',
    'Привет, мир',
  ],
  ...['★ Sale ★', 'Tiếng Việt', '50 % off → now', 'x² + y² ≤ 1', '', ' '],
)
const color = fc.constantFrom(
  '#000000',
  '#ffffff',
  '#c0392b',
  'rgb(20, 40, 80)',
  'rgba(0,0,0,0.5)',
  'red',
  '#0af',
)
const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4, nil: undefined })
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

const place = {
  left: number(140, 460),
  top: number(110, 340),
  angle: fc.constantFrom(0, 0, 0, 45, 90, -12.5),
  scaleX: number(0.3, 1.5),
  scaleY: number(0.3, 1.5),
  opacity: fc.constantFrom(1, 1, 1, 0.7),
  flipX: rarely(fc.boolean()),
  shadowColor: rarely(color),
  shadowBlur: rarely(number(0, 20)),
  shadowOffsetX: rarely(number(-10, 10)),
  boundingBox: rarely(fc.constantFrom<object | string>({ x: 120, y: 90, width: 360, height: 270 }, 'Base')),
  z: rarely(fc.integer({ min: -1, max: 3 })),
}

const gradient = fc.constant({
  type: 'linear',
  gradientUnits: 'pixels',
  coords: { x1: 0, y1: 0, x2: 100, y2: 0 },
  colorStops: [
    { offset: 0, color: '#f00' },
    { offset: 1, color: '#00f' },
  ],
})

const text = fc
  .record({
    ...place,
    text: words,
    fontFamily: family,
    fontSize: number(8, 60),
    fill: fc.oneof({ weight: 8, arbitrary: color }, { weight: 1, arbitrary: gradient }),
    fontWeight: fc.constantFrom('normal', 'normal', 'bold', '700'),
    fontStyle: fc.constantFrom('normal', 'normal', 'italic'),
    textAlign: fc.constantFrom('left', 'center', 'right'),
    lineHeight: number(0.8, 1.6),
    letterSpacing: fc.constantFrom(0, 0, 0, 1, 3),
    textDecoration: fc.constantFrom('', '', 'underline'),
    stroke: rarely(color),
    strokeWidth: fc.constantFrom(0, 0, 1, 3),
    kind: fc.constantFrom('text', 'text', 'box', 'curved'),
    direction: rarely(fc.constantFrom('ltr', 'rtl')),
    textTransform: rarely(fc.constantFrom('uppercase', 'lowercase')),
    styles: rarely(
      fc.constant({
        0: { 0: { fill: '#c0392b', fontSize: 40 }, 1: { fontWeight: 'bold', underline: true } },
      }),
    ),
    globalCompositeOperation: rarely(fc.constantFrom('multiply', 'source-over')),
  })
  .map(({ kind, ...own }) => {
    const course =
      kind === 'box'
        ? { textBox: true, width: 220 }
        : kind === 'curved'
          ? { curved: true, curveRadius: 90 }
          : {}
    return {
      title: own.text || 'Text',
      type: 'text',
      source: own.text,
      parameters: { ...own, ...course },
    }
  })

const picture = fc
  .record({
    ...place,
    source: fc.constantFrom('photo.jpg', 'turned.jpg', 'gray.jpg', 'logo.png'),
    filter: rarely(
      fc.constantFrom(
        ...['grayscale', 'sepia', 'sepia2', 'invert', 'vintage', 'brightness', 'noise', 'sharpen'],
      ),
    ),
    stroke: rarely(color),
    strokeWidth: fc.constantFrom(0, 0, 4),
  })
  .map(({ source, ...parameters }) => ({ title: source, type: 'image', source, parameters }))

const drawing = fc
  .record({
    ...place,
    source: fc.constantFrom(
      'badge.svg',
      'windows.svg',
      'star.svg',
      'curves.svg',
      'gradient.svg',
      'classes.svg',
    ),
    svgFill: rarely(fc.array(color, { minLength: 1, maxLength: 3 })),
  })
  .map(({ source, ...parameters }) => ({ title: source, type: 'image', source, parameters }))

const base = {
  title: 'Base',
  type: 'image',
  source: 'photo.jpg',
  parameters: { left: 300, top: 225, scaleX: 1.5, scaleY: 1.7, excludeFromExport: false },
}

/** One view. */
export const shopDesign = fc
  .record({
    elements: fc.array(fc.oneof({ weight: 3, arbitrary: text }, picture, drawing), {
      minLength: 1,
      maxLength: 6,
    }),
    bleed: fc.constantFrom(0, 3),
    isNested: fc.boolean(),
  })
  .map(({ elements, bleed, isNested }) => ({
    title: 'Front',
    elements: JSON.parse(JSON.stringify([base, ...elements])) as unknown[],
    options: {
      stageWidth: 600,
      stageHeight: 450,
      ...(isNested
        ? { printAreas: [{ id: 'boundingBox', printingBox, output: { ...output, bleed } }] }
        : { printingBox, output: { ...output, bleed } }),
    },
  }))
