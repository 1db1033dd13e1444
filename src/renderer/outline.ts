// Outlines of moves, lines and cubic curves, read from path data and from the basic shapes.
import { around, type Matrix, type Point, type Rectangle } from './matrix.ts'
import { Undrawable } from './refusal.ts'

export type Segment =
  | readonly ['M' | 'L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z']
export type Outline = Segment[]

const maxSegments = 200_000

export function transformed(outline: Outline, [a, b, c, d, e, f]: Matrix): Outline {
  return outline.map((segment): Segment => {
    if (segment[0] === 'Z') return segment
    const x = a * segment[1] + c * segment[2] + e
    const y = b * segment[1] + d * segment[2] + f
    if (segment[0] !== 'C') return [segment[0], x, y]
    const [, , , x2, y2, x3, y3] = segment
    return ['C', x, y, a * x2 + c * y2 + e, b * x2 + d * y2 + f, a * x3 + c * y3 + e, b * x3 + d * y3 + f]
  })
}

/** @param digits after the decimal point */
export function pathData(outline: Outline, digits = 4): string {
  let text = ''
  for (const segment of outline) {
    text += segment[0]
    for (let i = 1; i < segment.length; i++) text += `${i > 1 ? ' ' : ''}${plain(Number(segment[i]), digits)}`
  }
  return text
}

/** A number without exponent and without zeros at the end. */
export function plain(value: number, digits = 4): string {
  const text = value.toFixed(digits)
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  if (text[end - 1] === '.') end--
  const short = text.slice(0, end)
  return short === '-0' ? '0' : short
}

export function rectangle({ x, y, width, height }: Rectangle, rx = 0, ry = rx): Outline {
  const [a, b] = [Math.min(Math.max(rx, 0), width / 2), Math.min(Math.max(ry, 0), height / 2)]
  const [right, bottom] = [x + width, y + height]
  if (a === 0 || b === 0) return [['M', x, y], ['L', right, y], ['L', right, bottom], ['L', x, bottom], ['Z']]
  // How far the control points of a quarter of an ellipse are from the corner.
  const [i, j] = [a * (1 - kappa), b * (1 - kappa)]
  return [
    ['M', x + a, y],
    ['L', right - a, y],
    ['C', right - i, y, right, y + j, right, y + b],
    ['L', right, bottom - b],
    ['C', right, bottom - j, right - i, bottom, right - a, bottom],
    ['L', x + a, bottom],
    ['C', x + i, bottom, x, bottom - j, x, bottom - b],
    ['L', x, y + b],
    ['C', x, y + j, x + i, y, x + a, y],
    ['Z'],
  ]
}

const kappa = 0.5522847498

export const ellipse = (cx: number, cy: number, rx: number, ry: number): Outline =>
  rectangle({ x: cx - rx, y: cy - ry, width: 2 * rx, height: 2 * ry }, rx, ry)

export function polygon(points: readonly number[], isClosed: boolean): Outline {
  const outline: Outline = []
  for (let i = 0; i + 1 < points.length; i += 2) {
    outline.push([i === 0 ? 'M' : 'L', points[i] ?? 0, points[i + 1] ?? 0])
  }
  return isClosed && outline.length > 0 ? [...outline, ['Z']] : outline
}

/** The rectangle around the outline itself, not its control points. */
export function extentOf(outline: Outline): Rectangle {
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (const segment of outline) {
    if (segment[0] === 'Z') continue
    if (segment[0] === 'C') {
      const [, a, b, c, d, e, f] = segment
      for (const t of [...turns(x, a, c, e), ...turns(y, b, d, f)]) {
        points.push({ x: cubic(t, x, a, c, e), y: cubic(t, y, b, d, f) })
      }
      ;[x, y] = [e, f]
    } else [x, y] = [segment[1], segment[2]]
    points.push({ x, y })
  }
  return around(points)
}

const cubic = (t: number, p: number, q: number, r: number, s: number) =>
  (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t ** 2 * r + t ** 3 * s

/** Where a cubic curve turns in one coordinate. */
function turns(p: number, q: number, r: number, s: number): number[] {
  const [a, b, c] = [-p + 3 * q - 3 * r + s, 2 * (p - 2 * q + r), q - p]
  if (Math.abs(a) < 1e-12) return [-c / b].filter(isInside)
  const root = Math.sqrt(b * b - 4 * a * c)
  return [(-b + root) / (2 * a), (-b - root) / (2 * a)].filter(isInside)
}

const isInside = (t: number) => t > 0 && t < 1

const command = /([MmLlHhVvCcSsQqTtAaZz])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|[\s,]+|(.)/gy
const counts: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }

/**
 * Reads path data. Like browsers, it ignores everything after an error.
 * @throws Undrawable when it is too long
 */
export function parsePath(text: string): Outline {
  const reader = new PathReader()
  let name = ''
  let values: number[] = []
  const isArcFlag = () => name.toUpperCase() === 'A' && (values.length === 3 || values.length === 4)
  command.lastIndex = 0
  while (command.lastIndex < text.length) {
    const from = command.lastIndex
    const [, letter, number, fault] = command.exec(text) ?? []
    if (fault !== undefined) break
    if (letter !== undefined) {
      if (values.length > 0) break
      name = letter
      if (name === 'Z' || name === 'z') reader.add('Z', false, [])
    } else if (number !== undefined) {
      if (name === '' || name.toUpperCase() === 'Z') break
      // Flags need no separator.
      if (isArcFlag() && /^[01]/.test(number)) command.lastIndex = from + 1
      values.push(Number(isArcFlag() ? number[0] : number))
      if (values.length === counts[name.toUpperCase()]) {
        reader.add(name.toUpperCase(), name !== name.toUpperCase(), values)
        values = []
        if (name === 'M') name = 'L'
        if (name === 'm') name = 'l'
      }
    }
  }
  return reader.outline
}

class PathReader {
  readonly outline: Outline = []
  #x = 0
  #y = 0
  #start: Point = { x: 0, y: 0 }
  /** The last control point and the command that it belongs to. */
  #control: (Point & { of: string }) | undefined

  add(name: string, isRelative: boolean, values: readonly number[]): void {
    if (this.outline.length > maxSegments) throw new Undrawable('limit', 'A path has too many segments.')
    const [dx, dy] = isRelative ? [this.#x, this.#y] : [0, 0]
    const vertical = name === 'V'
    const v = values.map((value, i) => value + (vertical || i % 2 === 1 ? dy : dx))
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = v
    if (name === 'Z') this.#close()
    else if (name === 'M') this.#move(a, b)
    else if (name === 'L') this.#line(a, b)
    else if (name === 'H') this.#line(a, this.#y)
    else if (name === 'V') this.#line(this.#x, a)
    else if (name === 'C') this.#curve(a, b, c, d, e, f, 'C')
    else if (name === 'S') {
      const { x, y } = this.#mirrored('C')
      this.#curve(x, y, a, b, c, d, 'C')
    } else if (name === 'Q') this.#quadratic({ x: a, y: b }, c, d)
    else if (name === 'T') this.#quadratic(this.#mirrored('Q'), a, b)
    else this.#arc(values, dx, dy)
  }

  #close() {
    this.outline.push(['Z'])
    ;({ x: this.#x, y: this.#y } = this.#start)
    this.#control = undefined
  }

  #move(x: number, y: number) {
    this.outline.push(['M', x, y])
    this.#start = { x, y }
    this.#to(x, y)
  }

  #line(x: number, y: number) {
    this.outline.push(['L', x, y])
    this.#to(x, y)
  }

  #to(x: number, y: number) {
    ;[this.#x, this.#y, this.#control] = [x, y, undefined]
  }

  #curve(a: number, b: number, c: number, d: number, x: number, y: number, of: string) {
    this.outline.push(['C', a, b, c, d, x, y])
    this.#to(x, y)
    this.#control = { x: c, y: d, of }
  }

  #quadratic(q: Point, x: number, y: number) {
    const [px, py] = [this.#x, this.#y]
    const near = (from: number, to: number) => from + (2 / 3) * (to - from)
    this.#curve(near(px, q.x), near(py, q.y), near(x, q.x), near(y, q.y), x, y, 'Q')
    this.#control = { ...q, of: 'Q' }
  }

  #mirrored(of: string): Point {
    const control = this.#control
    if (control?.of !== of) return { x: this.#x, y: this.#y }
    return { x: 2 * this.#x - control.x, y: 2 * this.#y - control.y }
  }

  /** As in the implementation notes on arcs of the SVG specification. */
  #arc(
    [rawX = 0, rawY = 0, angle = 0, large = 0, sweep = 0, toX = 0, toY = 0]: readonly number[],
    dx: number,
    dy: number,
  ) {
    const [x0, y0, x, y] = [this.#x, this.#y, toX + dx, toY + dy]
    let [rx, ry] = [Math.abs(rawX), Math.abs(rawY)]
    if (rx === 0 || ry === 0 || (x0 === x && y0 === y)) {
      this.#line(x, y)
      return
    }
    const phi = (angle * Math.PI) / 180
    const [cos, sin] = [Math.cos(phi), Math.sin(phi)]
    const [hx, hy] = [(x0 - x) / 2, (y0 - y) / 2]
    const [px, py] = [cos * hx + sin * hy, -sin * hx + cos * hy]
    const lack = px ** 2 / rx ** 2 + py ** 2 / ry ** 2
    if (lack > 1) {
      rx *= Math.sqrt(lack)
      ry *= Math.sqrt(lack)
    }
    const rest = (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2
    const factor =
      Math.sqrt(Math.max(0, rest / ((rx * py) ** 2 + (ry * px) ** 2))) * (large === sweep ? -1 : 1)
    const [qx, qy] = [(factor * rx * py) / ry, (-factor * ry * px) / rx]
    const [cx, cy] = [cos * qx - sin * qy + (x0 + x) / 2, sin * qx + cos * qy + (y0 + y) / 2]
    const from = Math.atan2((py - qy) / ry, (px - qx) / rx)
    let turn = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - from
    if (sweep && turn < 0) turn += 2 * Math.PI
    if (!sweep && turn > 0) turn -= 2 * Math.PI
    const parts = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9))
    const k = (4 / 3) * Math.tan(turn / parts / 4)
    const point = (u: number, v: number) =>
      [cx + cos * rx * u - sin * ry * v, cy + sin * rx * u + cos * ry * v] as const
    for (let i = 0; i < parts; i++) {
      const [s, t] = [from + (turn * i) / parts, from + (turn * (i + 1)) / parts]
      const [a, b] = point(Math.cos(s) - k * Math.sin(s), Math.sin(s) + k * Math.cos(s))
      const [c, d] = point(Math.cos(t) + k * Math.sin(t), Math.sin(t) - k * Math.cos(t))
      const [e, f] = i === parts - 1 ? [x, y] : point(Math.cos(t), Math.sin(t))
      this.#curve(a, b, c, d, e, f, 'A')
    }
  }
}
