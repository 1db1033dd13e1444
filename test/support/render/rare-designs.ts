// Designs with what is seldom stored, or stored together.
import { broad, dejavu, dense, one, picture, type TestDesign, text } from './design-parts.ts'

const corner = { originX: 'left', originY: 'top' }
const gradient = {
  type: 'linear',
  coords: { x1: 0, y1: 0, x2: 300, y2: 0 },
  colorStops: [
    { offset: 0, color: '#c0392b' },
    { offset: 1, color: '#2980b9' },
  ],
}
const boxed = { textBox: true, width: 260, fontSize: 30 }
const hebrew = { ...dejavu, direction: 'rtl', fontSize: 34 }

export const rareDesigns: TestDesign[] = [
  one(
    'uniform strokes and skews that hang on a corner',
    picture('photo.jpg', {
      ...corner,
      left: 130,
      top: 100,
      scaleX: 0.5,
      scaleY: 0.9,
      angle: 8,
      stroke: '#c0392b',
      strokeWidth: 12,
      strokeUniform: true,
    }),
    picture('logo.png', { ...corner, left: 330, top: 110, skewX: 20, scaleX: 0.6, scaleY: 0.6 }),
    picture('badge.svg', { left: 480, top: 350, originX: 'right', originY: 'bottom', skewX: -15, skewY: 10 }),
  ),
  ...(
    [
      [{ type: 'Polaroid' }, { type: 'Brownie' }],
      [
        { type: 'HueRotation', rotation: 0.4 },
        { type: 'Pixelate', blocksize: 12 },
      ],
      [
        { type: 'BlendColor', color: '#3498db', mode: 'multiply', alpha: 0.8 },
        { type: 'BlendColor', color: '#e67e22', mode: 'overlay', alpha: 1 },
      ],
      [
        { type: 'BlendColor', color: '#e67e22', mode: 'tint', alpha: 0.4 },
        { type: 'BlendColor', color: '#2c3e50', mode: 'exclusion', alpha: 0.9 },
      ],
      [
        { type: 'BlendColor', color: '#335577', mode: 'screen', alpha: 1 },
        { type: 'BlendColor', color: '#88aa22', mode: 'difference', alpha: 1 },
      ],
    ] as const
  ).map(([upper, lower]) =>
    one(
      `filters ${upper.type} and ${lower.type} ${'mode' in upper ? upper.mode : ''}`.trim(),
      picture('photo.jpg', { filter: upper, top: 140, scaleX: 0.6, scaleY: 0.6 }),
      picture('photo.jpg', { filter: lower, top: 300, scaleX: 0.6, scaleY: 0.6 }),
    ),
  ),
  one(
    'lines on text with a gradient or a pattern',
    text('Gradient', { fontSize: 70, top: 140, fill: gradient, textDecoration: 'underline line-through' }),
    text('Pattern', { fontSize: 70, top: 230, pattern: 'photo.jpg', textDecoration: 'underline overline' }),
    text('Behind', {
      fontSize: 60,
      top: 320,
      fill: gradient,
      textDecoration: 'underline',
      backgroundColor: '#ffe08a',
    }),
  ),
  one(
    'curved text with spacing and lines',
    text('SPACED ROUND', {
      curved: true,
      curveRadius: 110,
      textAlign: 'center',
      fontSize: 30,
      top: 240,
      letterSpacing: 2,
      textDecoration: 'underline',
    }),
  ),
  one(
    'curved text that is justified',
    text('from the start', { curved: true, curveRadius: 100, textAlign: 'justify', fontSize: 30, top: 220 }),
  ),
  broad(
    'lines from right to left, spaced, justified, underlined, on a circle',
    text('שלום abc', { ...hebrew, letterSpacing: 1, top: 110 }),
    text('שלום עולם ועוד מילים כאן', { ...hebrew, ...boxed, textAlign: 'justify', top: 185 }),
    text('קצר\nשורה ארוכה', { ...hebrew, textAlign: 'center', textDecoration: 'underline', top: 270 }),
    text('סביב', { ...hebrew, curved: true, curveRadius: 60, textAlign: 'center', top: 340 }),
  ),
  one('drawing with named and relative sizes of text', picture('sizes.svg', { scaleX: 1.8, scaleY: 1.8 })),
  one('hyphens, soft and hard', text('co\u00ad-op-erate', { fontSize: 60 })),
  one('separators of lines', text('one\u2028two', { top: 150 }), text('wrapped here\u2028or there', boxed)),
  one('drawing of one turned shape', picture('turned.svg', { scaleX: 1.2, scaleY: 1.2, angle: 15 })),
  one('drawing of one shape in a clip', picture('clipped.svg', { scaleX: 2, scaleY: 2, angle: 15 })),
  one('drawings without a size, with a clip', picture('sizeless.svg', { scaleX: 2, scaleY: 2 })),
  one(
    'clipped by the rectangle around a turned element',
    picture('logo.png', { angle: 30, left: 280, excludeFromExport: true }, 'turned'),
    picture('photo.jpg', { scaleX: 2, scaleY: 2, boundingBox: 'turned' }),
  ),
  broad(
    'Thai, Devanagari and Japanese',
    text('สวัสดีชาวโลก น้ำผึ้ง ที่นี่', { fontFamily: 'Noto Sans Thai', fontSize: 40, top: 140 }),
    text('नमस्ते दुनिया, क्षत्रिय श्री कि', { fontFamily: 'Noto Sans Devanagari', fontSize: 34, top: 180 }),
    text('こんにちは世界、東京ガギグ', { fontFamily: 'Noto Sans JP', fontSize: 30, top: 260 }),
  ),
  broad(
    'Japanese brackets and stops',
    text('「東京」、『大阪』。（京都）：「・」', { fontFamily: 'Noto Sans JP', fontSize: 30, top: 140 }),
    text('です。」と「『言う』！」。（', { fontFamily: 'Noto Sans JP', fontSize: 30, top: 260 }),
  ),
  one(
    'neon',
    picture('photo.jpg', { scaleX: 2, scaleY: 2, filter: { type: 'brightness', brightness: -0.4 } }),
    {
      ...text('Open\nlate', { fontSize: 70, fill: '#ff00cc', textAlign: 'center', angle: -8 }),
      type: 'neon-text',
    },
  ),
  dense(
    one(
      'fills of single characters in wrapped text',
      text('The quick brown fox jumps over the lazy dog', {
        ...boxed,
        styles: [
          { start: 4, end: 9, style: { fill: '#c0392b' } },
          { start: 16, end: 25, style: { fill: '#27ae60' } },
          { start: 40, end: 43, style: { fill: '#2980b9' } },
        ],
      }),
    ),
  ),
]
