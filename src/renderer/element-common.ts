// What elements of every kind have: a place, an opacity, a shadow, a stroke, a clip.
import type { ClipPath } from './clip-path.ts'
import type { Blend, Color } from './marks.ts'
import type { Placement } from './placement.ts'
import type { Outlined } from './stored-stroke.ts'

export interface Shadow {
  color: Color
  blur: number
  dx: number
  dy: number
  /** Strokes cast it, too. */
  isOfStrokes?: true
  /** The same however the element is scaled. */
  isUniform?: true
}

export interface Common {
  title: string
  placement: Placement
  opacity: number
  /** Undefined if it covers what is below it. */
  blend: Blend | undefined
  shadow: Shadow | undefined
  stroke: Outlined | undefined
  /** Counts for the size of the element even if it has no color. */
  strokeWidth: number
  /** Whether that does not grow with the element. */
  isUniform: boolean
  paintFirst: 'fill' | 'stroke'
  /** Behind the element, as wide and high as it is. */
  background: Color | undefined
  /** Titles, rectangles or the printing box; undefined if nothing clips. */
  clip: StoredClip | undefined
}

export type StoredClip =
  | { of: 'printing box' }
  /** A print area by its id, or an element by its title. */
  | { of: 'element'; title: string }
  | ({ of: 'path' } & ClipPath)
  | { of: 'rectangle'; x: number; y: number; width: number; height: number; radius: number }
