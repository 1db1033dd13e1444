// Designs with styles of single characters, filters of rare kinds, and elements that are blended with what is below them.
import { broad, dense, one, picture, type TestDesign, text } from './design-parts.ts'

const range = (start: number, end: number, style: object) => ({ start, end, style })
const red = { fill: '#c0392b' }
const serif = { fontFamily: 'DejaVu Serif' }
const gradient = {
  type: 'linear',
  coords: { x1: 0, y1: 0, x2: 300, y2: 0 },
  colorStops: [
    { offset: 0, color: '#c0392b' },
    { offset: 1, color: '#2980b9' },
  ],
}
const below = picture('photo.jpg', { top: 225, scaleX: 1.3, scaleY: 1.3 })

export const styledDesigns: TestDesign[] = [
  dense(
    one(
      'preset fonts of office programs',
      text('Calibri bold', { fontFamily: 'Calibri', fontWeight: 'bold', top: 115 }),
      text('Cambria italic', { fontFamily: 'Cambria', fontStyle: 'italic', top: 175 }),
      text('Comic Sans italic', { fontFamily: 'Comic Sans MS', fontStyle: 'italic', top: 240 }),
      text('Impact', { fontFamily: 'Impact, sans-serif', fontSize: 60, top: 315 }),
    ),
  ),
  dense(
    one(
      'sizes of single characters',
      text('Big and small', {
        fontSize: 40,
        top: 130,
        textAlign: 'center',
        styles: [range(0, 1, { fontSize: 80, ...red }), range(8, 13, { fontSize: 20 })],
      }),
      text('H2O and x2\nsecond LINE', {
        fontSize: 36,
        top: 290,
        textAlign: 'right',
        lineHeight: 1.3,
        styles: {
          0: { 1: { fontSize: 22, deltaY: 8 }, 9: { fontSize: 22, deltaY: -14 } },
          1: { 8: { fontSize: 54 }, 9: { fontSize: 54 } },
        },
      }),
    ),
  ),
  dense(
    one(
      'fonts of single characters',
      text('Sans serif bold italic', {
        fontSize: 40,
        top: 140,
        styles: [
          range(5, 10, serif),
          range(11, 15, { fontWeight: 'bold' }),
          range(16, 22, { fontStyle: 'italic' }),
        ],
      }),
      text('AVAVA mixed kerning AVAV', {
        textBox: true,
        width: 300,
        fontSize: 44,
        top: 280,
        textAlign: 'justify',
        styles: [range(1, 3, { fontWeight: 'bold', ...red }), range(6, 11, { ...serif, fontSize: 30 })],
      }),
    ),
  ),
  broad(
    'lines under characters of several looks',
    text('Under two colors', {
      fontSize: 46,
      top: 110,
      textDecoration: 'underline line-through',
      styles: [range(6, 9, red), range(10, 16, { fill: '#2980b9', fontSize: 30 })],
    }),
    text('Only one word', {
      fontSize: 46,
      top: 190,
      shadowColor: '#999',
      shadowOffsetX: 4,
      shadowOffsetY: 4,
      styles: [range(5, 8, { underline: true, ...red })],
    }),
    text('not here but here', {
      fontSize: 42,
      top: 265,
      textDecoration: 'underline',
      letterSpacing: 1,
      textAlign: 'center',
      styles: [range(0, 8, { underline: false }), range(9, 12, { overline: true, linethrough: true })],
    }),
    text('lifted', {
      fontSize: 42,
      top: 335,
      textDecoration: 'underline',
      styles: [range(2, 4, { deltaY: -12 })],
    }),
  ),
  broad(
    'backgrounds and strokes of single characters',
    text('Marked words here', {
      fontSize: 46,
      top: 130,
      textBackgroundColor: '#ffe08a',
      styles: [range(7, 12, { textBackgroundColor: '#a3e4d7' }), range(13, 17, { textBackgroundColor: '' })],
    }),
    text('Some marked', {
      fontSize: 46,
      top: 210,
      styles: [range(5, 11, { textBackgroundColor: '#f5b7b1' })],
    }),
    text('Stroked part', {
      fontSize: 64,
      top: 300,
      styles: [
        range(0, 4, { stroke: '#c0392b', strokeWidth: 3 }),
        range(8, 12, { fill: '', stroke: '#2980b9', strokeWidth: 1 }),
      ],
    }),
  ),
  one(
    'characters with fills of their own in a pattern and in a gradient',
    text('Pattern', { fontSize: 80, top: 140, pattern: 'photo.jpg', styles: [range(2, 4, red)] }),
    text('Gradient', {
      fontSize: 70,
      top: 250,
      fill: gradient,
      textDecoration: 'underline',
      styles: [range(3, 5, { fill: '#27ae60' }), range(6, 7, { fontSize: 100 })],
    }),
  ),
  one(
    'characters of several looks on a circle',
    text('AROUND the CIRCLE', {
      curved: true,
      curveRadius: 110,
      textAlign: 'center',
      fontSize: 36,
      top: 230,
      textDecoration: 'underline',
      styles: [range(7, 10, { ...red, fontSize: 24 }), range(11, 17, { ...serif, underline: false })],
    }),
  ),
  broad(
    'characters of several looks from right to left',
    text('שלום עולם 12', {
      fontFamily: 'DejaVu Sans',
      direction: 'rtl',
      fontSize: 50,
      top: 140,
      textDecoration: 'underline',
      styles: [range(0, 4, red), range(5, 9, { fontSize: 34 })],
    }),
    text('שורה ועוד שורה', {
      fontFamily: 'DejaVu Sans',
      direction: 'rtl',
      fontSize: 40,
      top: 270,
      textAlign: 'center',
      styles: [range(0, 4, { textBackgroundColor: '#ffe08a' })],
    }),
  ),
  ...(
    [
      [
        { type: 'Convolute', matrix: [0, -1, 0, -1, 5, -1, 0, -1, 0] },
        { type: 'Convolute', opaque: true, matrix: [1, 1, 1, 1, 0.7, -1, -1, -1, -1] },
      ],
      [
        { type: 'Grayscale', mode: 'luminosity' },
        { type: 'Grayscale', mode: 'lightness' },
      ],
      [
        { type: 'RemoveColor', color: '#e67e22', distance: 0.2 },
        {
          type: 'ColorMatrix',
          colorsOnly: false,
          matrix: [1, 0, 0, 0, 0, 0, 1, 0, 0, 0.1, 0, 0, 1, 0, 0, 0.5, 0, 0, 0.5, 0],
        },
      ],
    ] as const
  ).map(([upper, lower]) =>
    one(
      `filters ${upper.type} and ${lower.type} ${'mode' in upper ? upper.mode : ''}`.trim(),
      picture('logo.png', { filter: upper, top: 140 }),
      picture('photo.jpg', { filter: lower, top: 310, scaleX: 0.6, scaleY: 0.6 }),
    ),
  ),
  one(
    'shadows of strokes, and shadows that do not grow',
    text('Both', {
      fontSize: 60,
      top: 120,
      scaleX: 1.5,
      scaleY: 1.5,
      stroke: '#c0392b',
      strokeWidth: 4,
      shadow: { color: '#888888', blur: 0, offsetX: 8, offsetY: 8, affectStroke: true, nonScaling: true },
    }),
    picture('photo.jpg', {
      top: 270,
      left: 220,
      scaleX: 0.5,
      scaleY: 0.5,
      stroke: '#2980b9',
      strokeWidth: 20,
      shadow: { color: 'rgba(0,0,0,0.6)', blur: 10, offsetX: 10, offsetY: 10, affectStroke: true },
    }),
    picture('star.svg', {
      top: 270,
      left: 400,
      scaleX: 1.5,
      scaleY: 1.5,
      shadow: { color: '#888888', blur: 0, offsetX: 6, offsetY: 6, nonScaling: true },
    }),
  ),
  one(
    'drawings of one faint shape, and of several with other fills',
    picture('faint.svg', { left: 200, top: 150 }),
    picture('faint.svg', { left: 400, top: 150, opacity: 0.6, scaleX: 1.2 }),
    picture('references.svg', { top: 290, scaleX: 1.5, scaleY: 1.5, svgFill: ['#27ae60', '#2980b9'] }),
  ),
  one(
    'a made bold in a gradient',
    text('SALE', { ...serif, fontWeight: 'bold', fontSize: 100, fill: gradient, top: 160 }),
    text('SALE', {
      ...serif,
      fontWeight: 'bold',
      fontSize: 70,
      fill: gradient,
      top: 290,
      angle: 8,
      opacity: 0.7,
    }),
  ),
  one(
    'a text box that is narrower than each word, and a pattern as fill',
    text('One word each', { textBox: true, width: 0, fontSize: 36, textAlign: 'center', left: 200 }),
    text('Tiles', {
      fontSize: 80,
      left: 380,
      fill: { type: 'pattern', source: 'photo.jpg', repeat: 'repeat' },
    }),
  ),
  ...['multiply', 'screen', 'overlay', 'color-dodge', 'difference', 'luminosity'].map((mode) =>
    one(
      `blended by ${mode}`,
      below,
      text('Blended', { fontSize: 80, top: 150, fill: '#e67e22', globalCompositeOperation: mode }),
      picture('logo.png', { top: 280, opacity: 0.8, globalCompositeOperation: mode }),
    ),
  ),
]
