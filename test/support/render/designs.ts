// Designs that show one feature each, and some together. Drawn by the renderer and by fabric.js they must look the same.
import { broad, dejavu, dense, one, picture, printingBox, type TestDesign, text } from './design-parts.ts'
import { rareDesigns } from './rare-designs.ts'
import { styledDesigns } from './styled-designs.ts'

export const designs: TestDesign[] = [
  ...rareDesigns,
  ...styledDesigns,
  one('plain text', text('Hamburgefonstiv')),
  one('kerned capitals', text('AVATAR Type To WAVE', { fontSize: 34 })),
  one('ligatures', text('office fluffy affix', { ...dejavu, fontSize: 28 })),
  one('bold', text('Bold words', { fontWeight: 'bold' })),
  one('italic', text('Italic words', { fontStyle: 'italic' })),
  one(
    'bold italic in a color',
    text('Both, in red', { fontWeight: 'bold', fontStyle: 'italic', fill: '#c0392b' }),
  ),
  dense(
    one(
      'preset fonts',
      text('Arial', { fontFamily: 'Arial', top: 110 }),
      text('Times bold', { fontFamily: 'Times New Roman', fontWeight: 'bold', top: 165 }),
      text('Courier', { fontFamily: 'Courier New, monospace', fontStyle: 'italic', top: 220 }),
      text('Georgia', { fontFamily: '"Georgia", serif', top: 280 }),
      text('Verdana', { fontFamily: 'Gone, Verdana', top: 335 }),
    ),
  ),
  one(
    'bold and italic made from the regular font',
    text('Bold serif', { fontFamily: 'DejaVu Serif', fontWeight: 'bold', fontSize: 60, top: 130 }),
    text('Italic serif', { fontFamily: 'DejaVu Serif', fontStyle: 'italic', fontSize: 60, top: 215 }),
    text('Both, turned', {
      ...{ fontFamily: 'DejaVu Serif', fontWeight: 'bold', fontStyle: 'italic', angle: 10, top: 310 },
      ...{ opacity: 0.5, letterSpacing: 0.5 },
    }),
  ),
  one(
    'a made italic on a circle, with stroke and shadow',
    text('AROUND BOLD', {
      ...{ fontFamily: 'DejaVu Serif', fontWeight: 'bold', fontStyle: 'italic', fontSize: 40 },
      ...{ curved: true, curveRadius: 110, textAlign: 'center', stroke: '#c0392b', strokeWidth: 2, top: 240 },
      ...{ shadowColor: '#888', shadowOffsetX: 5, shadowOffsetY: 5 },
    }),
  ),
  one('lines, centered', text('First\nsecond line\nthird', { textAlign: 'center', lineHeight: 1.2 })),
  one('lines, to the right', text('First\nsecond line\nthird', { textAlign: 'right', lineHeight: 0.9 })),
  one(
    'lines, to the left, from a corner',
    text('One\ntwo three', { originX: 'left', originY: 'top', left: 130, top: 100 }),
  ),
  one('letter spacing', text('S P A C E d', { letterSpacing: 2 })),
  one('negative letter spacing', text('Condensed', { letterSpacing: -0.8, fontSize: 56 })),
  broad(
    'lines that read from right to left',
    text('שלום Ada, 12!\n(abc) סוף.', { ...dejavu, direction: 'rtl', textAlign: 'right', top: 150 }),
    text('Plain words!\n7 (of) 9.', { direction: 'rtl', textAlign: 'center', top: 300 }),
  ),
  one(
    'wrapped text',
    text('The quick brown fox jumps over the lazy dog again', {
      textBox: true,
      width: 260,
      textAlign: 'center',
      fontSize: 32,
    }),
  ),
  one(
    'wrapped and justified',
    text('The quick brown fox jumps over the lazy dog again', {
      textBox: true,
      width: 250,
      textAlign: 'justify',
      fontSize: 22,
    }),
  ),
  one(
    'a word wider than its box',
    text('Incomprehensibilities are long', { textBox: true, width: 100, fontSize: 22 }),
  ),
  one('underline', text('Underlined text', { textDecoration: 'underline' })),
  one('line through and over', text('Struck', { textDecoration: 'line-through overline', fontSize: 60 })),
  one('underline with spacing', text('Wide', { textDecoration: 'underline', letterSpacing: 3 })),
  one('stroke', text('Outline', { stroke: '#2980b9', strokeWidth: 3, fontSize: 80, fill: '#f1c40f' })),
  one(
    'stroke alone',
    text('Hollow', { stroke: '#222222', strokeWidth: 2, fontSize: 90, fill: 'transparent' }),
  ),
  one('text background', text('Marked', { textBackgroundColor: '#ffe08a', fontSize: 60 })),
  one('turned and scaled', text('Turned', { angle: 33, scaleX: 1.6, scaleY: 1.2 })),
  one('flipped', text('Mirror', { flipX: true, fontSize: 70 })),
  one('skewed', text('Skewed', { skewX: 20, fontSize: 70 })),
  one('half transparent', text('Faint', { opacity: 0.5, fontSize: 90, stroke: '#0000ff', strokeWidth: 6 })),
  one(
    'sharp shadow',
    text('Shadow', { shadowColor: '#888888', shadowOffsetX: 6, shadowOffsetY: 5, fontSize: 80 }),
  ),
  one(
    'blurred shadow',
    text('Blur', {
      shadowColor: 'rgba(0,0,0,0.7)',
      shadowBlur: 12,
      shadowOffsetX: 4,
      shadowOffsetY: 8,
      fontSize: 120,
      fill: '#e74c3c',
    }),
  ),
  one(
    'shadow of a turned, scaled, stroked text',
    text('Deep', {
      shadowColor: '#555',
      shadowOffsetX: 5,
      shadowOffsetY: 5,
      angle: -20,
      scaleX: 1.5,
      scaleY: 1.5,
      stroke: '#fff',
      strokeWidth: 2,
      fontSize: 60,
    }),
  ),
  one(
    'shadow and underline',
    text('Odd', {
      shadowColor: '#999',
      shadowOffsetX: 7,
      shadowOffsetY: 7,
      textDecoration: 'underline',
      fontSize: 90,
    }),
  ),
  one(
    'shadow of what lies beyond the page',
    picture('photo.jpg', {
      left: 300,
      top: 90,
      angle: -30,
      shadowColor: '#27ae60',
      shadowOffsetX: 22,
      shadowOffsetY: 16,
    }),
    text('below the page', {
      top: 395,
      fontSize: 60,
      shadowColor: '#8e44ad',
      shadowBlur: 6,
      shadowOffsetY: -45,
    }),
  ),
  one(
    'wide blur',
    text('WIDE', {
      fontSize: 150,
      shadowColor: '#000',
      shadowBlur: 60,
      shadowOffsetX: 10,
      shadowOffsetY: 20,
    }),
  ),
  one(
    'sharp shadow of a transparent drawing',
    picture('badge.svg', { scaleX: 2, scaleY: 2, opacity: 0.5, shadowColor: '#a0a', shadowOffsetX: 20 }),
    picture('gradient.svg', { top: 340, shadowColor: 'rgba(0,0,0,.4)', shadowOffsetX: 20 }),
  ),
  one(
    'transparent strokes that overlap',
    text('ODOLOTO', { stroke: 'rgba(43,207,127,0.6)', strokeWidth: 10, letterSpacing: -0.5, fontSize: 90 }),
  ),
  one('transparent glyphs that overlap', text('OOWAVY', { opacity: 0.5, letterSpacing: -2.5, fontSize: 90 })),
  one(
    'curved text',
    text('AROUND THE CIRCLE', {
      curved: true,
      curveRadius: 110,
      textAlign: 'center',
      fontSize: 30,
      top: 240,
    }),
  ),
  one(
    'curved inside',
    text('Smiling below', {
      curved: true,
      curveReverse: true,
      curveRadius: 120,
      textAlign: 'center',
      fontSize: 34,
      top: 200,
    }),
  ),
  one(
    'curved with spacing, stroke and turn',
    text('Turned curve', {
      curved: true,
      curveRadius: 90,
      textAlign: 'center',
      fontSize: 32,
      letterSpacing: 1,
      stroke: '#0a0',
      strokeWidth: 1,
      angle: 25,
    }),
  ),
  one(
    'curved from the left, underlined',
    text('left on path', {
      curved: true,
      curveRadius: 100,
      textAlign: 'left',
      textDecoration: 'underline',
      fontSize: 30,
    }),
  ),
  one(
    'curved lines on one circle',
    text('UPPER HALF\ninner', { curved: true, curveRadius: 110, textAlign: 'left', fontSize: 34, top: 240 }),
  ),
  one('Greek and Cyrillic', text('Ελληνικά Русский', dejavu)),
  one('accents and combining marks', text('Àé ñ Å ȩ́ ő', { ...dejavu, fontSize: 60 })),
  dense(
    one(
      'a font whose kerning browsers drop',
      text('AVATAR Type To WAVE, the quick brown fox', {
        fontFamily: 'Open Sans',
        textBox: true,
        width: 270,
      }),
    ),
  ),
  one(
    'Vietnamese with separate marks',
    text('Tiếng Việt ưở'.normalize('NFD'), { fontFamily: 'DejaVu Sans Mono', fontSize: 48 }),
    text('Tiếng Việt ưở'.normalize('NFD'), { ...dejavu, fontSize: 48, top: 320 }),
  ),
  one('Hebrew', text('שלום עולם', { ...dejavu, fontSize: 64 })),
  one(
    'Hebrew with spaces at both ends',
    text('  שלום עולם ', { ...dejavu, fontSize: 50, textAlign: 'left' }),
  ),
  one('Hebrew, justified', text('שלום עולם', { ...dejavu, fontSize: 50, textAlign: 'justify' })),
  broad(
    'both directions in a line',
    text('abc אבג (דהו) 123!', { ...dejavu, fontSize: 44, top: 120 }),
    text('שלום, world 2026-11-23.', { ...dejavu, fontSize: 36, top: 190 }),
    text('مرحبا (Ada) ١٢٣، 45%', { ...dejavu, fontSize: 44, top: 260 }),
    text('wow אבג', { ...dejavu, fontSize: 44, top: 330, letterSpacing: 1 }),
  ),
  one(
    'wrapped text of both directions',
    text('שלום עולם and the rest of it, אבגד 17', { ...dejavu, textBox: true, width: 250, fontSize: 34 }),
  ),
  one(
    'symbols that the font lacks',
    text('★ five ✓', { fontSize: 70, top: 170 }),
    text('↯ ☎ call', { fontSize: 70, top: 290, stroke: '#c0392b', strokeWidth: 1, letterSpacing: 0.5 }),
  ),
  one('Arabic', text('مرحبا بالعالم', { ...dejavu, fontSize: 60 })),
  one(
    'serifs in two sizes',
    text('Large', { fontFamily: 'DejaVu Serif', fontSize: 90, top: 180 }),
    text('small print below', { fontFamily: 'DejaVu Serif', fontSize: 22, top: 290 }),
  ),
  one('curved by its type', {
    ...text('By its type alone', { curveRadius: 110, textAlign: 'center', fontSize: 30 }),
    type: 'curved-text',
  }),
  one('wrapped by its type', {
    ...text('By its type this text has a width', { width: 180, fontSize: 30 }),
    type: 'textbox',
  }),
  dense(
    one(
      'a box for characters instead of words',
      text('Broken anywhere it ends', { textBox: true, width: 150, splitByGrapheme: true }),
    ),
  ),
  one('names of the older format', {
    ...text('Older names'),
    parameters: {
      text: 'Older names',
      x: 300,
      y: 225,
      degree: 20,
      scale: 1.4,
      textSize: 36,
      font: 'Liberation Sans',
      currentColor: '#2980b9',
    },
  }),
  dense(
    one(
      'justified except for the end',
      text('The quick brown fox jumps\nover the lazy dog', {
        textBox: true,
        width: 180,
        textAlign: 'justify-center',
        fontSize: 30,
      }),
    ),
  ),
  one(
    'stroke before fill',
    text('Behind', {
      stroke: '#2980b9',
      strokeWidth: 10,
      fontSize: 90,
      fill: '#f1c40f',
      paintFirst: 'stroke',
    }),
    picture('photo.jpg', { top: 350, stroke: '#c0392b', strokeWidth: 20, paintFirst: 'stroke', scaleX: 0.5 }),
  ),
  one(
    'stroke before fill, with a shadow and faded',
    text('Behind', {
      stroke: '#2980b9',
      strokeWidth: 10,
      fontSize: 90,
      fill: '#f1c40f',
      paintFirst: 'stroke',
      opacity: 0.7,
      shadowColor: '#555',
      shadowOffsetX: 9,
      shadowOffsetY: 9,
    }),
  ),
  one(
    'backgrounds of elements',
    text('Back\nground', { backgroundColor: '#ffe08a', strokeWidth: 6, stroke: '#222', angle: 12 }),
    picture('logo.png', { top: 350, scaleX: 0.7, backgroundColor: 'rgba(142,68,173,0.4)' }),
  ),
  one(
    'background with a shadow',
    text('Shadowed', {
      backgroundColor: '#ffe08a',
      shadow: { color: 'rgba(0,0,0,0.6)', blur: 0, offsetX: 12, offsetY: 8 },
    }),
  ),
  one('hidden elements', text('Shown'), text('Hidden', { top: 330, visible: false })),
  one(
    'frames of one width, dashed, round',
    picture('photo.jpg', {
      scaleX: 0.5,
      scaleY: 1.2,
      stroke: '#333333',
      strokeWidth: 9,
      strokeUniform: true,
      strokeDashArray: [20, 8],
      strokeLineJoin: 'round',
    }),
    text('Dashes', {
      top: 350,
      fontSize: 90,
      fill: 'transparent',
      stroke: '#c0392b',
      strokeWidth: 3,
      strokeDashArray: [6, 3],
      strokeDashOffset: 2,
      strokeLineCap: 'round',
      strokeLineJoin: 'bevel',
    }),
  ),
  one(
    'gradients on text',
    text('Gradient', {
      fontSize: 90,
      fill: {
        type: 'linear',
        coords: { x1: 0, y1: 0, x2: 300, y2: 0 },
        colorStops: [
          { offset: 0, color: '#c0392b' },
          { offset: 1, color: '#2980b9' },
        ],
      },
    }),
    text('in shares', {
      top: 330,
      fontSize: 80,
      stroke: {
        type: 'linear',
        gradientUnits: 'percentage',
        coords: { x1: 0, y1: 0, x2: 0, y2: 1 },
        colorStops: [
          { offset: 0.2, color: '#000' },
          { offset: 0.8, color: '#27ae60' },
        ],
      },
      strokeWidth: 4,
      fill: {
        type: 'radial',
        coords: { x1: 150, y1: 40, r1: 20, x2: 150, y2: 40, r2: 160 },
        colorStops: [
          { offset: 0, color: '#f1c40f' },
          { offset: 1, color: 'rgba(142,68,173,0.5)' },
        ],
      },
    }),
  ),
  one(
    'text filled with a picture',
    text('PATTERN', { fontSize: 90, pattern: 'logo.png', stroke: '#222', strokeWidth: 1 }),
    text('faded', {
      top: 340,
      fontSize: 110,
      pattern: 'photo.jpg',
      opacity: 0.6,
      letterSpacing: 1,
      shadowColor: '#999',
      shadowOffsetX: 5,
      shadowOffsetY: 5,
    }),
  ),
  one('photo', picture('photo.jpg')),
  one('photo, scaled and turned', picture('photo.jpg', { scaleX: 0.8, scaleY: 1.1, angle: 15 })),
  one('photo, turned by its own orientation', picture('turned.jpg')),
  one(
    'gray photo, flipped both ways',
    picture('gray.jpg', { flipX: true, flipY: true, scaleX: 1.3, scaleY: 1.3 }),
  ),
  one('transparent picture over text', text('BEHIND', { fontSize: 90 }), picture('logo.png')),
  one('picture with opacity', picture('photo.jpg'), picture('logo.png', { opacity: 0.4, left: 330 })),
  one('tinted picture', picture('logo.png', { fill: '#8e44ad' })),
  one('multiplied picture', picture('photo.jpg', { fill: '#ffcc00', colorMode: 'multiply' })),
  one('color without effect', picture('logo.png', { fill: '#8e44ad', colorMode: 'none' })),
  one(
    'cropped picture',
    picture('photo.jpg', { cropX: 60, cropY: 40, width: 150, height: 100, scaleX: 1.5, scaleY: 1.5 }),
  ),
  ...['grayscale', 'sepia', 'kodachrome', 'black_white', 'vintage', 'technicolor', 'removewhite'].map(
    (filter) =>
      one(
        `filter ${filter}`,
        picture('photo.jpg', { filter, left: 250 }),
        picture('logo.png', { filter, left: 420, scaleX: 0.6, scaleY: 0.6 }),
      ),
  ),
  one('filter brightness', picture('photo.jpg', { filter: { type: 'brightness', brightness: 0.25 } })),
  one('filter contrast', picture('photo.jpg', { filter: { type: 'contrast', contrast: -0.4 } })),
  one(
    'filter of 20 numbers',
    picture('photo.jpg', { filter: [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0] }),
  ),
  ...[
    { type: 'Saturation', saturation: 0.6 },
    { type: 'Saturation', saturation: -0.7 },
    { type: 'Vibrance', vibrance: 0.8 },
    { type: 'Gamma', gamma: [1.6, 0.7, 2.2] },
    { type: 'Invert' },
  ].map((filter, index) => one(`filter ${filter.type} ${index}`, picture('photo.jpg', { filter }))),
  one(
    'filter and color',
    picture('photo.jpg', { filter: 'sepia', fill: '#88aaff', colorMode: 'multiply', left: 250 }),
    picture('logo.png', { filter: 'removewhite', fill: '#c0392b', left: 420, scaleX: 0.6, scaleY: 0.6 }),
  ),
  one('framed picture', picture('photo.jpg', { stroke: '#333333', strokeWidth: 8 })),
  one(
    'shadow of a picture',
    picture('logo.png', {
      shadowColor: 'rgba(0,0,0,0.6)',
      shadowBlur: 10,
      shadowOffsetX: 8,
      shadowOffsetY: 8,
    }),
  ),
  one('drawing', picture('badge.svg', { scaleX: 2, scaleY: 2, angle: 10 })),
  one(
    'drawing with other fills',
    picture('badge.svg', { scaleX: 2, scaleY: 2, svgFill: ['#ffffff', '#00aa55', '#222222'] }),
  ),
  one('drawing of one shape', picture('star.svg', { scaleX: 2.2, scaleY: 2.2, svgFill: ['#0066cc'] })),
  one('drawing of curves and lines', picture('curves.svg', { scaleX: 1.7, scaleY: 1.7 })),
  one(
    'fills of single characters',
    text('AVATAR red\nTwo lines', {
      styles: {
        0: {
          1: { fill: '#c00' },
          2: { fill: '#c00' },
          7: { fill: '#e00' },
          8: { fill: '#e00' },
          9: { fill: '' },
        },
        1: { 0: { fill: '#00c', fontWeight: 'normal' } },
      },
      ...{ top: 130, stroke: '#080', strokeWidth: 0.5, textAlign: 'center' },
    }),
    text('Ranges of it', { top: 240, styles: [{ start: 2, end: 6, style: { fill: '#0a0' } }] }),
    text('AROUND', {
      ...{ curved: true, curveRadius: 60, top: 320, textAlign: 'center', fontSize: 24 },
      styles: { 0: { 0: { fill: '#c0c' }, 3: { fill: '#0cc' } } },
    }),
  ),
  one(
    'clip paths of fabric',
    picture('photo.jpg', {
      ...{ left: 200, top: 150, angle: 20, shadowColor: '#000', shadowOffsetX: 6, shadowBlur: 4 },
      clipPath: { type: 'circle', radius: 70, left: -70, top: -70 },
    }),
    picture('photo.jpg', {
      ...{ left: 400, top: 150, scaleX: 0.6, scaleY: 0.6 },
      clipPath: {
        type: 'rect',
        width: 120,
        height: 90,
        rx: 20,
        ry: 10,
        originX: 'center',
        originY: 'center',
        inverted: true,
      },
    }),
    text('CLIPPED', {
      ...{ top: 250, fontSize: 80, opacity: 0.6, fill: '#c0392b' },
      clipPath: {
        type: 'polygon',
        points: [
          { x: 0, y: 0 },
          { x: 260, y: 10 },
          { x: 130, y: 70 },
        ],
        left: -130,
        top: -30,
        strokeWidth: 0,
      },
    }),
    picture('badge.svg', {
      ...{ top: 330, scaleX: 1.2, scaleY: 1.2 },
      clipPath: {
        type: 'path',
        path: [['M', 0, 0], ['L', 80, 0], ['Q', 90, 60, 40, 80], ['Z']],
        left: 260,
        top: 280,
        absolutePositioned: true,
      },
    }),
  ),
  one('drawing with text', picture('text.svg', { scaleX: 1.9, scaleY: 1.9 })),
  one('drawing of one text', picture('word.svg', { scaleX: 2.5, scaleY: 2.5, svgFill: ['#0a7'] })),
  one('drawing with gradients', picture('gradient.svg', { scaleX: 2, scaleY: 2 })),
  one('drawing with classes', picture('classes.svg', { scaleX: 2.5, scaleY: 2.5 })),
  one('drawing with references', picture('references.svg', { scaleX: 2, scaleY: 2 })),
  one('drawing whose view box has another ratio', picture('offset.svg', { scaleX: 2, scaleY: 2 })),
  one('drawing with clips, turned and transparent', picture('cut.svg', { scaleX: 2, scaleY: 2 })),
  one(
    'drawing with hidden shapes and other fills',
    picture('hidden.svg', { scaleX: 2, scaleY: 2, svgFill: ['#f00', '', '#0f0', '#f0c'] }),
  ),
  one('black for the current color', picture('hidden.svg', { scaleX: 2, scaleY: 2, opacity: 0.7 })),
  one(
    'clipped by the printing box',
    picture('photo.jpg', { usePrintingBoxAsBounding: true, left: 480, top: 350, scaleX: 1.4, scaleY: 1.4 }),
  ),
  one(
    'clipped by a rounded rectangle',
    picture('photo.jpg', { boundingBox: { x: 200, y: 130, width: 180, height: 160, borderRadius: 30 } }),
  ),
  {
    name: 'a mask of several shapes over all',
    mask: { url: 'windows.svg', left: 140, top: 100, scaleX: 2.5, scaleY: 2.3 },
    elements: [picture('photo.jpg', { scaleX: 2, scaleY: 2 }), text('MASKED', { fontSize: 100 })],
  },
  {
    name: 'a mask of one shape',
    mask: { url: 'star.svg', left: 180, top: 90, scaleX: 3, scaleY: 3 },
    elements: [
      picture('photo.jpg', { scaleX: 2, scaleY: 2, opacity: 0.6 }),
      text('MASKED', { fontSize: 100 }),
    ],
  },
  {
    name: 'clipped by print areas',
    printAreas: [
      { id: 'boundingBox', printingBox },
      {
        id: 'badge',
        printingBox: { left: 160, top: 110, width: 120, height: 90 },
        excludeFromExport: true,
      },
    ],
    elements: [
      picture('photo.jpg', { left: 220, top: 155, boundingBox: 'badge' }),
      picture('logo.png', { left: 480, top: 355, boundingBox: 'boundingBox' }),
      picture('photo.jpg', { left: 120, top: 355, usePrintingBoxAsBounding: true }),
      text('OVER BOTH', { boundingBox: 'badge', left: 280, top: 190 }),
    ],
  },
  one(
    'clipped by the rectangle of another',
    picture('logo.png', { left: 260, top: 200 }, 'frame'),
    text('CLIPPED TEXT', { boundingBox: 'frame', fontSize: 60 }),
  ),
  one(
    'clipped by the shape of a drawing',
    picture('star.svg', { scaleX: 2.4, scaleY: 2.4, excludeFromExport: true }, 'shape'),
    picture('photo.jpg', { boundingBox: 'shape' }),
  ),
  one(
    'clipped, faded, with shadow',
    text('CUT', {
      fontSize: 130,
      opacity: 0.6,
      stroke: '#00f',
      strokeWidth: 5,
      shadowColor: '#000',
      shadowOffsetX: 8,
      shadowOffsetY: 8,
      boundingBox: { x: 220, y: 180, width: 200, height: 90 },
    }),
  ),
  one(
    'not clipped in another mode',
    picture('photo.jpg', { boundingBoxMode: 'inside', boundingBox: { x: 0, y: 0, width: 10, height: 10 } }),
  ),
  one(
    'order by z and topped',
    text('TOP', { topped: true, fill: '#ffffff' }),
    picture('photo.jpg'),
    picture('badge.svg', { z: 0, scaleX: 3, scaleY: 3 }),
  ),
  one(
    'upload zones and excluded elements',
    picture('photo.jpg', { uploadZone: true }),
    picture('logo.png', { excludeFromExport: true }),
    text('Only this'),
  ),
  {
    name: 'with bleed',
    elements: [
      picture('photo.jpg', { scaleX: 2, scaleY: 2 }),
      text('BLEED', { fontSize: 100, fill: '#ffffff' }),
    ],
    bleed: 5.08,
  },
  one(
    'all together',
    picture('photo.jpg', {
      scaleX: 1.3,
      scaleY: 1.3,
      opacity: 0.7,
      boundingBox: { x: 120, y: 95, width: 360, height: 260, borderRadius: 20 },
    }),
    picture('badge.svg', { left: 200, top: 150, angle: -12 }),
    text('Happy\nBirthday', {
      textAlign: 'center',
      fontSize: 48,
      fontWeight: 'bold',
      fill: '#ffffff',
      stroke: '#c0392b',
      strokeWidth: 1,
      shadowColor: 'rgba(0,0,0,0.5)',
      shadowOffsetX: 3,
      shadowOffsetY: 3,
    }),
    text('since nineteen eighty', {
      curved: true,
      curveReverse: true,
      curveRadius: 130,
      textAlign: 'center',
      fontSize: 22,
      top: 190,
    }),
  ),
]
