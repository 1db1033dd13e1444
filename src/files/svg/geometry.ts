// Parses numbers, lengths and transforms of a drawing, and computes with boxes.

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

const numberTokens = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi
const transformFunction = /[\s,]*([a-z]{1,10})\s*\(([^()]*)\)[\s,]*/iy
const lengthPattern = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(px|in|cm|mm|q|pt|pc)?\s*$/i
const relativeLength = /[(%]|\d(?!e[+-]?\d)(?!(?:px|in|cm|mm|q|pt|pc)\b)[a-z]/i
/** Absolute units in user units. */
const unitSizes: Readonly<Record<string, number>> = {
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
}

/** A length in user units; undefined for percentages, relative units and functions. */
export function userUnits(value: string | undefined): number | undefined {
  const [, number, unit = ''] = (value !== undefined && lengthPattern.exec(value)) || []
  return number === undefined ? undefined : Number(number) * (unitSizes[unit.toLowerCase()] ?? 1)
}

/** Whether a length, or one of several, is calculated or depends on something else: a function, a percentage or a relative unit. */
export const isRelative = (value: string): boolean => relativeLength.test(value)

/** The first numbers in a string, whatever precedes them. */
export function firstNumbers(string: string, count: number): number[] {
  const found: number[] = []
  for (const [number] of string.matchAll(numberTokens)) {
    if (found.length === count) break
    found.push(Number(number))
  }
  return found
}

/** All numbers in a string. */
export function numbers(string: string): number[] {
  return Array.from(string.matchAll(numberTokens), ([number]) => Number(number))
}

export function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top)
}

export function union(one: Box | undefined, other: Box | undefined): Box | undefined {
  if (!one || !other) return one ?? other
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  }
}

/** The bounding box of a transformed box. */
export function transformed(box: Box, [a, b, c, d, e, f]: Matrix): Box {
  const corners = [
    [box.left, box.top],
    [box.right, box.top],
    [box.left, box.bottom],
    [box.right, box.bottom],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const)
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

/** The matrix of a `transform` attribute; undefined for invalid syntax. */
export function matrixOf(transform: string): Matrix | undefined {
  let matrix: Matrix | undefined = [1, 0, 0, 1, 0, 0]
  transformFunction.lastIndex = 0
  for (let at = 0; at < transform.length && matrix; at = transformFunction.lastIndex) {
    transformFunction.lastIndex = at
    const [, name, values = ''] = transformFunction.exec(transform) ?? []
    const one = name && single(name, numbers(values))
    matrix = one ? product(matrix, one) : undefined
  }
  return matrix?.every(Number.isFinite) ? matrix : undefined
}

function single(name: string, [a = 0, b, c, d = 0, e = 0, f = 0]: number[]): Matrix | undefined {
  const angle = (a * Math.PI) / 180
  const [cos, sin, tan] = [Math.cos(angle), Math.sin(angle), Math.tan(angle)]
  if (name === 'matrix') return [a, b ?? 0, c ?? 0, d, e, f]
  if (name === 'translate') return [1, 0, 0, 1, a, b ?? 0]
  if (name === 'scale') return [a, 0, 0, b ?? a, 0, 0]
  if (name === 'skewX') return [1, 0, tan, 1, 0, 0]
  if (name === 'skewY') return [1, tan, 0, 1, 0, 0]
  if (name !== 'rotate') return undefined
  const [x, y] = [b ?? 0, c ?? 0]
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y]
}

function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}
