// The pictures of the demo shop: SVG drawings of its products, and the graphics that are printed on them.

interface Shape {
  /** Outline in a 400 by 400 box. */
  path: string
  /** Seams, handles and shadows. */
  lines: string
  /** What is printed, in pixels of the stage and in millimetres; both have the same ratio. */
  box: { left: number; top: number; width: number; height: number }
  output: { width: number; height: number; bleed: number }
}

/** The box on the chest. */
const chest = {
  box: { left: 130, top: 135, width: 140, height: 168 },
  output: { width: 250, height: 300, bleed: 3 },
}

const shapes = {
  shirt: {
    ...chest,
    path: 'M140 60 L60 100 L85 170 L115 155 L115 345 L285 345 L285 155 L315 170 L340 100 L260 60 Q200 110 140 60 Z',
    lines: 'M140 60 Q200 124 260 60 M115 155 L122 120 M285 155 L278 120 M115 333 H285 M66 118 L91 180',
  },
  jersey: {
    ...chest,
    path: 'M145 58 L70 92 L82 190 L118 182 L118 345 L282 345 L282 182 L318 190 L330 92 L255 58 L200 112 Z',
    lines: 'M145 58 L200 128 L255 58 M78 168 L118 160 M322 168 L282 160 M118 325 H282 M118 335 H282',
  },
  hoodie: {
    box: { left: 134, top: 140, width: 132, height: 144 },
    output: { width: 220, height: 240, bleed: 3 },
    path: 'M145 75 Q200 10 255 75 L330 110 L350 300 L310 305 L290 190 L290 350 L110 350 L110 190 L90 305 L50 300 L70 110 Z',
    lines:
      'M145 75 Q200 140 255 75 M185 112 V150 M215 112 V150 M130 350 L145 290 H255 L270 350 M110 335 H290',
  },
  mug: {
    box: { left: 105, top: 130, width: 150, height: 150 },
    output: { width: 90, height: 90, bleed: 2 },
    path: 'M90 90 H270 V140 H310 Q350 140 350 200 Q350 260 310 260 H270 V320 H90 Z M270 170 V230 H305 Q320 230 320 200 Q320 170 305 170 Z',
    lines: 'M90 104 H270 M90 308 H270',
  },
  bottle: {
    box: { left: 155, top: 150, width: 90, height: 180 },
    output: { width: 60, height: 120, bleed: 2 },
    path: 'M175 40 H225 V85 Q255 100 255 140 V350 Q255 365 240 365 H160 Q145 365 145 350 V140 Q145 100 175 85 Z',
    lines: 'M172 55 H228 M175 85 H225 M146 345 H254',
  },
  tote: {
    box: { left: 125, top: 190, width: 150, height: 150 },
    output: { width: 250, height: 250, bleed: 3 },
    path: 'M90 140 H145 Q145 45 200 45 Q255 45 255 140 H310 L325 360 H75 Z M165 140 H235 Q235 70 200 70 Q165 70 165 140 Z',
    lines: 'M89 156 H311 M145 140 V168 M165 140 V168 M235 140 V168 M255 140 V168',
  },
  card: {
    box: { left: 30, top: 90, width: 340, height: 220 },
    output: { width: 85, height: 55, bleed: 3 },
    path: 'M30 90 H370 V310 H30 Z',
    lines: 'M34 316 H376 V96',
  },
  banner: {
    box: { left: 20, top: 155, width: 360, height: 90 },
    output: { width: 1200, height: 300, bleed: 5 },
    path: 'M20 155 H380 V245 H20 Z',
    lines: 'M27 162 h.1 M373 162 h.1 M27 238 h.1 M373 238 h.1 M20 155 L10 135 M380 155 L390 135',
  },
} satisfies Record<string, Shape>

export type Outline = keyof typeof shapes

export const shapeOf = (outline: Outline): Shape => shapes[outline]

/** A product from one side. */
export function productPicture(outline: Outline, color: string, side: string): string {
  const { path, lines } = shapes[outline]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 400 400">
  <title>${outline}, ${side}</title>
  <rect width="400" height="400" fill="#eef0f2"/>
  <ellipse cx="200" cy="372" rx="150" ry="12" fill="#d9dde1"/>
  <path d="${path}" fill="${color}" fill-rule="evenodd" stroke="#3a3f46" stroke-width="3" stroke-linejoin="round"/>
  <path d="${lines}" fill="none" stroke="#3a3f46" stroke-opacity="0.45" stroke-width="2" stroke-linecap="round"/>
</svg>
`
}

const graphic = (title: string, shapes: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120" viewBox="0 0 120 120">
  <title>${title}</title>
  ${shapes}
</svg>
`

/** The graphics of the design library, 120 by 120 pixels. */
export const graphics = {
  star: graphic(
    'Star',
    '<circle cx="60" cy="60" r="54" fill="#e4572e"/><path d="M60 22 L71 48 L99 50 L77 68 L84 96 L60 81 L36 96 L43 68 L21 50 L49 48 Z" fill="#fff"/>',
  ),
  leaf: graphic(
    'Leaf',
    '<path d="M20 100 Q10 30 100 20 Q108 108 36 102 Z" fill="#3f8f5b"/><path d="M22 108 Q44 66 84 40" fill="none" stroke="#fff" stroke-width="4"/>',
  ),
  mountain: graphic(
    'Mountain',
    '<circle cx="88" cy="34" r="16" fill="#f2b134"/><path d="M6 104 L50 28 L94 104 Z" fill="#2e4057"/><path d="M62 104 L88 60 L114 104 Z" fill="#4f6d8f"/><path d="M50 28 L64 52 L54 48 L48 56 L38 49 Z" fill="#fff"/>',
  ),
  cup: graphic(
    'Cup',
    '<path d="M22 48 H86 V84 Q86 104 66 104 H42 Q22 104 22 84 Z" fill="#7a4b2a"/><path d="M86 56 H96 Q108 56 108 70 Q108 86 86 86" fill="none" stroke="#7a4b2a" stroke-width="8"/><path d="M40 38 Q32 26 42 14 M58 38 Q50 26 60 14" fill="none" stroke="#b98b66" stroke-width="5" stroke-linecap="round"/>',
  ),
  bolt: graphic('Bolt', '<path d="M70 6 L22 70 H54 L46 114 L98 46 H64 Z" fill="#f2b134"/>'),
  heart: graphic(
    'Heart',
    '<path d="M60 106 L18 62 Q4 40 20 24 Q42 8 60 34 Q78 8 100 24 Q116 40 102 62 Z" fill="#c2334d"/>',
  ),
}

export type Graphic = keyof typeof graphics

/** The placeholder in an upload zone. */
export const uploadPicture = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20" viewBox="0 0 90 20">
  <rect x="1" y="1" width="88" height="18" fill="none" stroke="#777" stroke-dasharray="4 3"/>
  <path d="M45 5 V15 M40 10 H50" stroke="#777" stroke-width="2"/>
</svg>
`
