// Reads SVG path data as an outline.
import type { Point } from './matrix.ts'
import type { Outline } from './outline.ts'
import { Undrawable } from './refusal.ts'

/** Maximum segments of one path. */
const maxSegments = 200_000

/** A token of path data: a command, a number, separators, or a fault. It is sticky: each match begins at `lastIndex`. */
const token = /([MmLlHhVvCcSsQqTtAaZz])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|[\s,]+|(.)/gy
/** Numbers of each command. */
const counts: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }

/**
 * The outline of path data (SVG 2 §9.3), which ignores everything after an error, as browsers do. Data that does not begin with M is
 * drawn as on a canvas: the first line is a point, the first curve begins at its first control point.
 * @throws Undrawable when it is too long
 */
export function parsePath(text: string): Outline {
  const reader = new PathReader()
  /** The current command, and its numbers so far. */
  let [name, values]: [string, number[]] = ['', []]
  const isArcFlag = () => name.toUpperCase() === 'A' && (values.length === 3 || values.length === 4)
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const start = token.lastIndex
    const [, letter, number, fault] = token.exec(text) ?? []
    if (fault !== undefined) break
    if (letter !== undefined) {
      if (values.length > 0) break
      name = letter
      if (name === 'Z' || name === 'z') reader.add(name, [])
    } else if (number !== undefined) {
      if (name === '' || name.toUpperCase() === 'Z') break
      // The two flags of an arc are single digits and need no separator.
      if (isArcFlag() && /^[01]/.test(number)) token.lastIndex = start + 1
      values.push(Number(isArcFlag() ? number[0] : number))
      if (values.length === counts[name.toUpperCase()]) {
        reader.add(name, values)
        values = []
        // Further pairs of numbers after a move are lines.
        if (name === 'M') name = 'L'
        if (name === 'm') name = 'l'
      }
    }
  }
  return reader.outline
}

/** Turns commands into segments: relative positions into absolute ones, quadratic curves and arcs into cubic curves. */
class PathReader {
  readonly outline: Outline = []
  /** The current point. */
  #x = 0
  #y = 0
  /** The beginning of the current part, to which Z returns. */
  #start: Point = { x: 0, y: 0 }
  /** The last control point, which S and T mirror after a command of the same kind. */
  #control: (Point & { command: string }) | undefined

  /** Adds a command with its numbers. @param letter in lower case for relative positions @throws Undrawable if the path is too long */
  add(letter: string, values: readonly number[]): void {
    if (this.outline.length > maxSegments) throw new Undrawable('limit', 'A path has too many segments.')
    const name = letter.toUpperCase()
    const [dx, dy] = letter === name ? [0, 0] : [this.#x, this.#y]
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
    if (this.outline.length > 0) this.outline.push(['Z'])
    ;({ x: this.#x, y: this.#y } = this.#start)
    this.#control = undefined
  }

  #move(x: number, y: number) {
    this.outline.push(['M', x, y])
    this.#start = { x, y }
    this.#setPoint(x, y)
  }

  #line(x: number, y: number) {
    if (this.outline.length === 0) this.#move(x, y)
    this.outline.push(['L', x, y])
    this.#setPoint(x, y)
  }

  /** Sets the current point. */
  #setPoint(x: number, y: number) {
    ;[this.#x, this.#y, this.#control] = [x, y, undefined]
  }

  /** Adds a cubic curve. @param command that of the path data; S continues only curves of C, T only those of Q */
  #curve(a: number, b: number, c: number, d: number, x: number, y: number, command: string) {
    if (this.outline.length === 0) this.#move(a, b)
    this.outline.push(['C', a, b, c, d, x, y])
    this.#setPoint(x, y)
    this.#control = { x: c, y: d, command }
  }

  #quadratic(q: Point, x: number, y: number) {
    const [px, py] = [this.#x, this.#y]
    const near = (from: number, to: number) => from + (2 / 3) * (to - from)
    this.#curve(near(px, q.x), near(py, q.y), near(x, q.x), near(y, q.y), x, y, 'Q')
    this.#control = { ...q, command: 'Q' }
  }

  /** The last control point mirrored at the current point, if it belongs to the command; else the current point. */
  #mirrored(command: string): Point {
    const control = this.#control
    if (control?.command !== command) return { x: this.#x, y: this.#y }
    return { x: 2 * this.#x - control.x, y: 2 * this.#y - control.y }
  }

  /**
   * An arc, as cubic curves of at most a quarter of the ellipse (SVG 2 §B.2.4): from the end points to the center of the ellipse,
   * then to the angles of the end points. `p` and `q` are half the chord and the center in the space of the turned ellipse.
   */
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
    // Radii that are too small for the chord are enlarged (§B.2.5).
    const enlargement = Math.sqrt(px ** 2 / rx ** 2 + py ** 2 / ry ** 2)
    if (enlargement > 1) {
      rx *= enlargement
      ry *= enlargement
    }
    const remainder = (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2
    const factor =
      Math.sqrt(Math.max(0, remainder / ((rx * py) ** 2 + (ry * px) ** 2))) * (large === sweep ? -1 : 1)
    const [qx, qy] = [(factor * rx * py) / ry, (-factor * ry * px) / rx]
    const [cx, cy] = [cos * qx - sin * qy + (x0 + x) / 2, sin * qx + cos * qy + (y0 + y) / 2]
    const startAngle = Math.atan2((py - qy) / ry, (px - qx) / rx)
    let turn = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - startAngle
    if (sweep && turn < 0) turn += 2 * Math.PI
    if (!sweep && turn > 0) turn -= 2 * Math.PI
    const parts = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9))
    /** The length of the control lines on a circle with the radius 1. */
    const k = (4 / 3) * Math.tan(turn / parts / 4)
    /** From the unit circle to the ellipse. */
    const point = (u: number, v: number) =>
      [cx + cos * rx * u - sin * ry * v, cy + sin * rx * u + cos * ry * v] as const
    for (let i = 0; i < parts; i++) {
      const [s, t] = [startAngle + (turn * i) / parts, startAngle + (turn * (i + 1)) / parts]
      const [a, b] = point(Math.cos(s) - k * Math.sin(s), Math.sin(s) + k * Math.cos(s))
      const [c, d] = point(Math.cos(t) + k * Math.sin(t), Math.sin(t) - k * Math.cos(t))
      const [e, f] = i === parts - 1 ? [x, y] : point(Math.cos(t), Math.sin(t))
      this.#curve(a, b, c, d, e, f, 'A')
    }
  }
}
