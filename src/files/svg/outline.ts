// Computes the extent of shapes, as an upper bound: boxes include the control points of curves.
import { areaOf, type Box, firstNumbers, numbers, userUnits } from './geometry.ts'

export interface Outline {
  box: Box | undefined
  vertices: number
  /** An upper bound of the length, in user units; Infinity if unknown. */
  length: number
  /** The length along which dashes are counted, which a `pathLength` scales. */
  dashedLength: number
}

type Attributes = ReadonlyMap<string, string>

const numberToken = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy
const separators = /[\s,]*/y
/** The number of arguments of each path command. */
const argumentCounts: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
}
/** An upper bound of the outline of a character, in font sizes. */
export const glyphLength = 15

export const noOutline: Outline = { box: undefined, vertices: 0, length: 0, dashedLength: 0 }

/** The outline of a shape; without a box if its size depends on more than its own attributes. */
export function outlineOf(name: string, attributes: Attributes): Outline {
  const outline = drawnOutline(name, attributes)
  const declared = firstNumbers(attributes.get('pathLength') ?? '', 1)[0] ?? 0
  // Its characters may be stretched to this length.
  const stretched = userUnits(attributes.get('textLength') ?? '0') ?? Number.POSITIVE_INFINITY
  return { ...outline, dashedLength: Math.max(outline.length, declared, stretched * glyphLength) }
}

function drawnOutline(name: string, attributes: Attributes): Outline {
  const of = (attribute: string) => userUnits(attributes.get(attribute) ?? '0')
  if (name === 'path') return pathOutline(attributes.get('d') ?? '')
  if (name === 'polygon' || name === 'polyline') return pointsOutline(numbers(attributes.get('points') ?? ''))
  if (name === 'line') return pointsOutline([of('x1'), of('y1'), of('x2'), of('y2')])
  if (name === 'rect' || name === 'image') return rectOutline(of('x'), of('y'), of('width'), of('height'))
  // Its place; what it draws stands elsewhere.
  if (name === 'use') return rectOutline(of('x'), of('y'), 0, 0)
  if (name !== 'circle' && name !== 'ellipse') return noOutline
  const [wide, high] = name === 'circle' ? ['r', 'r'] : ['rx', 'ry']
  const [cx, cy] = [of('cx'), of('cy')]
  // Without one radius, an ellipse takes the other one for both.
  const rx = of(attributes.has(wide) ? wide : high) ?? Number.NaN
  const ry = of(attributes.has(high) ? high : wide) ?? Number.NaN
  return rectOutline((cx ?? Number.NaN) - rx, (cy ?? Number.NaN) - ry, 2 * rx, 2 * ry)
}

function rectOutline(x = Number.NaN, y = Number.NaN, width = Number.NaN, height = Number.NaN): Outline {
  // Rectangles have no markers on their vertices.
  return { ...pointsOutline([x, y, x + width, y, x + width, y + height, x, y + height, x, y]), vertices: 0 }
}

function pointsOutline(points: readonly (number | undefined)[]): Outline {
  const tracer = new OutlineTracer()
  for (let at = 0; at + 1 < points.length; at += 2)
    tracer.to(points[at] ?? Number.NaN, points[at + 1] ?? Number.NaN)
  return tracer.outline()
}

function pathOutline(d: string): Outline {
  const tracer = new OutlineTracer()
  let at = 0
  let control: [number, number] | undefined
  let start: [number, number] = [0, 0]
  const next = (pattern: RegExp): string | undefined => {
    separators.lastIndex = at
    separators.test(d)
    pattern.lastIndex = separators.lastIndex
    const found = pattern.exec(d)?.[0]
    if (found !== undefined) at = pattern.lastIndex
    return found
  }
  for (let command = next(commandToken); command !== undefined; command = next(commandToken)) {
    const kind = command.toUpperCase()
    const count = argumentCounts[kind] ?? 0
    const isRelative = command !== kind
    if (kind === 'Z') tracer.to(...start)
    for (let isFirst = true; count > 0; isFirst = false) {
      const values: number[] = []
      while (values.length < count) {
        const isFlag = kind === 'A' && (values.length === 3 || values.length === 4)
        const value = next(isFlag ? flagToken : numberToken)
        if (value === undefined) break
        values.push(Number(value))
      }
      if (values.length < count) break
      const [x, y] = isRelative ? tracer.at : [0, 0]
      if (kind === 'A')
        tracer.reach(Math.max(...values.slice(0, 2).map(Math.abs)), [
          x + (values[5] ?? 0),
          y + (values[6] ?? 0),
        ])
      else if (kind === 'H') tracer.to(x + (values[0] ?? 0), tracer.at[1])
      else if (kind === 'V') tracer.to(tracer.at[0], y + (values[0] ?? 0))
      else {
        // A reflected control point may lie farther out with each curve.
        if (control && (kind === 'T' || kind === 'S'))
          tracer.over(2 * tracer.at[0] - control[0], 2 * tracer.at[1] - control[1])
        const first = control ? tracer.last : tracer.at
        for (let pair = 0; pair + 3 < count; pair += 2)
          tracer.over(x + (values[pair] ?? 0), y + (values[pair + 1] ?? 0))
        // A curve without a previous control point starts with one at the current point.
        control = kind === 'T' ? first : 'CSQ'.includes(kind) ? tracer.last : undefined
        tracer.to(x + (values[count - 2] ?? 0), y + (values[count - 1] ?? 0))
      }
      if (kind === 'M' && isFirst) start = tracer.at
    }
  }
  return tracer.outline()
}

const commandToken = /[MLHVCSQTAZ]/iy
const flagToken = /[01]/y

/** Moves from point to point, and tracks the bounding box and the length. */
class OutlineTracer {
  at: [number, number] = [0, 0]
  /** The last visited point, which may be a control point. */
  last: [number, number] = [0, 0]
  #box: Box | undefined
  #vertices = 0
  #length = 0

  /** Draws a line to a point. */
  to(x: number, y: number): void {
    this.over(x, y)
    this.at = [x, y]
    this.#vertices++
  }

  /** Visits a control point. */
  over(x: number, y: number): void {
    if (this.#box) this.#length += Math.hypot(x - this.last[0], y - this.last[1])
    this.last = [x, y]
    const box = this.#box ?? { left: x, top: y, right: x, bottom: y }
    // NaN stays NaN.
    this.#box = {
      left: Math.min(box.left, x),
      top: Math.min(box.top, y),
      right: Math.max(box.right, x),
      bottom: Math.max(box.bottom, y),
    }
  }

  /** Draws an arc. It lies within twice its radius, which grows to at least half the distance. */
  reach(radius: number, [x, y]: [number, number]): void {
    const far = Math.max(2 * radius, Math.hypot(x - this.at[0], y - this.at[1]))
    this.over(x - far, y - far)
    this.over(x + far, y + far)
    this.to(x, y)
  }

  outline(): Outline {
    const box = this.#box && Number.isFinite(areaOf(this.#box)) ? this.#box : undefined
    const length = Number.isNaN(this.#length) ? Number.POSITIVE_INFINITY : this.#length
    return { box, vertices: this.#vertices, length, dashedLength: length }
  }
}
