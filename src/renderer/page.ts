// The pages of a view: the printed rectangle of the stage, and its size.
import { around, type Matrix, type Rectangle } from './matrix.ts'
import { areasOf, mainArea, outputOf, printingBox } from './print-areas.ts'
import { Undrawable } from './refusal.ts'
import { type Bag, numberOf, objectOf } from './values.ts'

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
  const areas = areasOf(options)
  const output = outputOf(options)
  if (areas.length === 0) return [pageOf(undefined, printingBox(options), output)]
  const printed = areas.filter(({ isPrinted }) => isPrinted)
  return printed.map((area) => {
    assertNoMask(area.options)
    return pageOf(printed.length === 1 ? undefined : area.name, area.box(), area.output ?? output)
  })
}

/** The whole stage, for previews; one millimetre per pixel. */
export function stageOf(options: Bag): PageBox {
  assertNoMask(options)
  const width = numberOf(options, 'stageWidth', undefined, { min: 1, max: 20_000 })
  const height = numberOf(options, 'stageHeight', undefined, { min: 1, max: 20_000 })
  const isKnown = width !== undefined && height !== undefined
  const box = isKnown ? { x: 0, y: 0, width, height } : printedBox(options)
  return { name: undefined, box, width: box.width, height: box.height, bleed: 0 }
}

/** Around everything that is printed, for stages whose size is not known. */
function printedBox(options: Bag): Rectangle {
  const areas = areasOf(options)
  if (areas.length === 0) return printingBox(options)
  const corners = areas.flatMap((area) => {
    const { x, y, width, height } = area.box()
    return [
      { x, y },
      { x: x + width, y: y + height },
    ]
  })
  return around(corners)
}

/** The box that clips elements which must stay within the print. */
export const printingBoxOf = (options: Bag): Rectangle =>
  mainArea(areasOf(options))?.box() ?? printingBox(options)

function assertNoMask(options: Bag): void {
  for (const name of ['mask', 'viewMask']) {
    const url = objectOf(options[name]).url ?? options[name]
    if (typeof url === 'string' && url !== '')
      throw new Undrawable('feature', 'A mask of the view cannot be drawn.')
  }
}

function pageOf(name: string | undefined, box: Rectangle, output: Bag = {}): PageBox {
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
  return { name, box: ofRatio(box, width / height), width, height, bleed }
}

/** The corner is exact, and the size was rounded: the longer side ends where the page does, so that nothing is distorted. */
function ofRatio(box: Rectangle, ratio: number): Rectangle {
  const { width, height } = box
  return width > height * ratio ? { ...box, width: height * ratio } : { ...box, height: width / ratio }
}

const round = (value: number) => Math.round(value * 100) / 100
