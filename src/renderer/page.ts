// The pages of a view: the printed rectangle of the stage, and its size.
import type { Matrix, Rectangle } from './matrix.ts'
import { shown, Undrawable } from './refusal.ts'
import { type Bag, flagOf, numberOf, objectOf, textOf } from './values.ts'

export interface PageBox {
  /** Name of the print area, where the view has several. */
  name: string | undefined
  /** The trimmed page, in pixels of the stage. */
  box: Rectangle
  /** The trimmed page in millimetres. */
  width: number
  height: number
  /** Millimetres on each side. */
  bleed: number
}

/** The rectangle of the stage that is drawn, and the size of a page with its bleed. */
export function bledBox({ box, width, height, bleed }: PageBox): Rectangle {
  const [x, y] = [(bleed / width) * box.width, (bleed / height) * box.height]
  return { x: box.x - x, y: box.y - y, width: box.width + 2 * x, height: box.height + 2 * y }
}

/** From the stage to a page with its bleed, whose size is given in any unit. */
export function ontoPage(page: PageBox, width: number, height: number): Matrix {
  const { x, y, width: w, height: h } = bledBox(page)
  return [width / w, 0, 0, height / h, (-x * width) / w, (-y * height) / h]
}

/** Maximum difference between the ratios of box and output: allows rounded pixels, but no visible distortion. */
const tolerance = 0.01
const maxSide = 5000

/** @throws Undrawable when the view cannot be printed */
export function pagesOf(options: Bag): PageBox[] {
  assertNoMask(options)
  const areas = Array.isArray(options.printAreas) ? options.printAreas.map(objectOf) : []
  const printed = areas.filter((area) => !flagOf(area, 'excludeFromExport'))
  if (areas.length > 0 && printed.length === 0) return []
  if (printed.length === 0) return [pageOf(undefined, boxOf(options), options.output)]
  return printed.map((area, index) => {
    const isOnly = printed.length === 1
    const output = isOutput(area.output) ? area.output : isOnly ? options.output : undefined
    const name = isOnly
      ? undefined
      : textOf(area, 'name', '') || textOf(area, 'title', '') || `Area ${index + 1}`
    if (output === undefined) {
      throw new Undrawable('page', `The print area ${shown(name ?? '')} has no output size of its own.`)
    }
    return pageOf(name, rectangleOf(area, 'The print area'), output)
  })
}

/** The whole stage, for previews; one millimetre per pixel. */
export function stageOf(options: Bag): PageBox {
  assertNoMask(options)
  const width = numberOf(options, 'stageWidth', undefined, { min: 1, max: 20_000 })
  const height = numberOf(options, 'stageHeight', undefined, { min: 1, max: 20_000 })
  const box = width === undefined || height === undefined ? boxOf(options) : { x: 0, y: 0, width, height }
  return { name: undefined, box, width: box.width, height: box.height, bleed: 0 }
}

/** The box that clips elements which must stay within the print. */
export function printingBoxOf(options: Bag): Rectangle {
  const areas = Array.isArray(options.printAreas) ? options.printAreas.map(objectOf) : []
  const [first] = areas
  return first ? rectangleOf(first, 'The print area') : boxOf(options)
}

function assertNoMask(options: Bag): void {
  for (const name of ['mask', 'viewMask']) {
    const url = objectOf(options[name]).url ?? options[name]
    if (typeof url === 'string' && url !== '')
      throw new Undrawable('feature', 'A mask of the view cannot be drawn.')
  }
}

const isOutput = (value: unknown) => Object.keys(objectOf(value)).length > 0

function boxOf(options: Bag): Rectangle {
  const box = objectOf(options.printingBox)
  if (Object.keys(box).length > 0) return rectangleOf(box, 'The printing box')
  const width = numberOf(options, 'stageWidth', undefined, { min: 1 })
  const height = numberOf(options, 'stageHeight', undefined, { min: 1 })
  if (width === undefined || height === undefined)
    throw new Undrawable('page', 'The view has no printing box.')
  return { x: 0, y: 0, width, height }
}

function rectangleOf(box: Bag, what: string): Rectangle {
  const x = numberOf(box, 'left', undefined) ?? numberOf(box, 'x', 0)
  const y = numberOf(box, 'top', undefined) ?? numberOf(box, 'y', 0)
  const width = numberOf(box, 'width', 0)
  const height = numberOf(box, 'height', 0)
  if (!(width > 0 && height > 0)) throw new Undrawable('page', `${what} has no width and height.`)
  return { x, y, width, height }
}

function pageOf(name: string | undefined, box: Rectangle, given: unknown): PageBox {
  const output = objectOf(given)
  const bounds = { min: 0, max: maxSide }
  const width = numberOf(output, 'width', 0, bounds)
  const height = numberOf(output, 'height', 0, bounds)
  if (!(width > 0 && height > 0)) throw new Undrawable('page', 'The view has no output size in millimetres.')
  const bleed = numberOf(output, 'bleed', 0, { min: 0, max: 100 })
  const ratio = box.width / box.height / (width / height)
  if (Math.abs(ratio - 1) > tolerance) {
    throw new Undrawable(
      'page',
      `The printing box (${round(box.width)} × ${round(box.height)} px) and the output (${round(width)} × ${round(height)} mm) differ in their ratio, so that the print would be distorted.`,
    )
  }
  return { name, box, width, height, bleed }
}

const round = (value: number) => Math.round(value * 100) / 100
