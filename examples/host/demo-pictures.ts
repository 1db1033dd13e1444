// The pictures of the demo shop: one SVG drawing per product and side.

/** Outlines in a 400 by 400 box. */
const outlines = {
  shirt:
    'M140 60 L60 100 L85 170 L115 155 L115 345 L285 345 L285 155 L315 170 L340 100 L260 60 Q200 110 140 60 Z',
  hoodie:
    'M145 75 Q200 10 255 75 L330 110 L350 300 L310 305 L290 190 L290 350 L110 350 L110 190 L90 305 L50 300 L70 110 Z',
  mug: 'M90 90 H270 V140 H310 Q350 140 350 200 Q350 260 310 260 H270 V320 H90 Z M270 170 V230 H305 Q320 230 320 200 Q320 170 305 170 Z',
  bottle:
    'M175 40 H225 V85 Q255 100 255 140 V350 Q255 365 240 365 H160 Q145 365 145 350 V140 Q145 100 175 85 Z',
  tote: 'M90 140 H145 Q145 45 200 45 Q255 45 255 140 H310 L325 360 H75 Z M165 140 H235 Q235 70 200 70 Q165 70 165 140 Z',
  card: 'M40 110 H360 V290 H40 Z',
} as const

export type Outline = keyof typeof outlines

/** A product from one side; the dashed frame marks the print area. */
export function productPicture(outline: Outline, color: string, side: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 400 400">
  <title>${outline}, ${side}</title>
  <rect width="400" height="400" fill="#f4f4f2"/>
  <path d="${outlines[outline]}" fill="${color}" fill-rule="evenodd" stroke="#333" stroke-width="3"/>
  <rect x="150" y="150" width="100" height="120" fill="none" stroke="#999" stroke-dasharray="6 4"/>
</svg>
`
}

/** The graphic on every product until the customer replaces it. */
export const badgePicture = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120" viewBox="0 0 120 120">
  <circle cx="60" cy="60" r="54" fill="#e4572e"/>
  <path d="M60 22 L71 48 L99 50 L77 68 L84 96 L60 81 L36 96 L43 68 L21 50 L49 48 Z" fill="#fff"/>
</svg>
`

/** The placeholder in an upload zone. */
export const uploadPicture = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20" viewBox="0 0 90 20">
  <rect x="1" y="1" width="88" height="18" fill="none" stroke="#777" stroke-dasharray="4 3"/>
  <path d="M45 5 V15 M40 10 H50" stroke="#777" stroke-width="2"/>
</svg>
`
