// Finds the pages of a view: for each the printed rectangle of the stage, and its size on paper.
import type { Mark } from './marks.ts'
import { type Matrix, type Rectangle, united } from './matrix.ts'
import { areasOf, mainArea, outputOf, printingBox } from './print-areas.ts'
import { Undrawable } from './refusal.ts'
import { flagOf, isSet, numberOf, objectOf, type Properties, textOf } from './values.ts'

/** A page: a rectangle of the stage that is printed in a size. */
export interface PageBox {
  /** The name of the print area, if the view has several. */
  name: string | undefined
  /** The trimmed page, in pixels of the stage. */
  box: Rectangle
  /** The trimmed page in millimetres. */
  width: number
  height: number
  /** Millimetres that are printed beyond the trim on each side. */
  bleed: number
  /** Masks as stored elements; the page is printed only inside the shapes of all of them. */
  masks: Properties[]
  finishing: Finishing
  /** A sentence for the warnings: how a box of another ratio was fitted, or that the size on paper is not known. */
  note?: string
}

/** A page with what is painted on it. */
export interface DrawnPage {
  page: PageBox
  marks: Mark[]
}

/** Names of spot colors for finishing; a property is absent if the page has none. */
export interface Finishing {
  /** The color of a line along the trim, for cutting. */
  cutLine?: string
  /** The white ink that is printed below all marks. */
  whiteUnderprint?: string
}

/** What to do with a printing box whose ratio is not that of the output: refuse the view, or fit it as `fitNotes` describes. */
export const fits = ['refuse', 'contain', 'cover', 'center'] as const
export type Fit = (typeof fits)[number]

/** The rectangle of the stage that a page shows with its bleed. */
export function bledBox({ box, width, height, bleed }: PageBox): Rectangle {
  const [x, y] = [(bleed / width) * box.width, (bleed / height) * box.height]
  return { x: box.x - x, y: box.y - y, width: box.width + 2 * x, height: box.height + 2 * y }
}

/** Millimetres of a page with its bleed. */
export const bledSize = ({ width, height, bleed }: PageBox) => ({
  width: width + 2 * bleed,
  height: height + 2 * bleed,
})

/** Points of paper for each pixel of the stage. */
export const pointsOf = ({ width, box }: PageBox): number => ((width / box.width) * 72) / 25.4

/** The matrix from the stage to a page with its bleed, whose width and height are in any unit. */
export function ontoPage(page: PageBox, width: number, height: number): Matrix {
  const { x, y, width: w, height: h } = bledBox(page)
  return [width / w, 0, 0, height / h, (-x * width) / w, (-y * height) / h]
}

/** Maximum relative difference between the ratios of box and output: allows rounded pixels, but no visible distortion. */
const tolerance = 0.01
/** Maximum millimetres of a side of a page. */
const maxSide = 50_000

/** The format of a print file; `svg-pdf` is a PDF with vectors. */
export type Format = 'svg-pdf' | 'png' | 'jpeg' | 'svg'

/** How pages are made of a view. */
export interface PageForm {
  fit?: Fit
  format: Format
  dpi: number
}

/** The pages of a view: one for each exported print area, or one without print areas. @throws Undrawable if it cannot be printed */
export function pagesOf(options: Properties, form: PageForm): PageBox[] {
  const masks = masksOf(options)
  const areas = areasOf(options)
  const output = outputOf(options)
  if (areas.length === 0) return [{ ...pageOf(undefined, printingBox(options), output, form), masks }]
  const printed = areas.filter(({ isPrinted }) => isPrinted)
  return printed.map((area) => {
    const name = printed.length === 1 ? undefined : area.name
    const page = pageOf(name, area.box(), area.output ?? output, form)
    return { ...page, masks: [...masks, ...masksOf(area.options)] }
  })
}

/** The stage as a page of one millimetre per pixel, as previews show it. @throws Undrawable if its size is not known */
export function stageOf(options: Properties): PageBox {
  const masks = masksOf(options)
  const width = numberOf(options, 'stageWidth', undefined, { min: 1, max: 20_000 })
  const height = numberOf(options, 'stageHeight', undefined, { min: 1, max: 20_000 })
  // Without a stored size, the stage is the rectangle around all print areas.
  const aroundAreas = () => united(areasOf(options).map((area) => area.box())) ?? printingBox(options)
  const hasSize = width !== undefined && height !== undefined
  const box = hasSize ? { x: 0, y: 0, width, height } : aroundAreas()
  return { name: undefined, box, width: box.width, height: box.height, bleed: 0, masks, finishing: {} }
}

/** The rectangle of the stage that clips elements with `usePrintingBoxAsBounding`. @throws Undrawable if the view has none */
export const printingBoxOf = (options: Properties): Rectangle =>
  mainArea(areasOf(options))?.box() ?? printingBox(options)

/** The masks of a view or an area: drawings inside of whose shapes alone it is printed, as stored elements. @throws Undrawable */
function masksOf(options: Properties): Properties[] {
  return ['mask', 'viewMask'].flatMap((name) => {
    const mask = objectOf(options[name])
    const url = mask.url ?? options[name]
    if (typeof url !== 'string' || url === '') return []
    if (mask.left === undefined || mask.top === undefined)
      throw new Undrawable('feature', 'A mask without a place on the stage cannot be drawn.')
    const { left, top, scaleX, scaleY } = mask
    const parameters = { left, top, scaleX, scaleY, originX: 'left', originY: 'top' }
    return [{ title: name, type: 'image', source: url, parameters }]
  })
}

/** The page of a box. @param output its stored size on paper @throws Undrawable for a missing size, or a ratio that is not fitted */
function pageOf(
  name: string | undefined,
  box: Rectangle,
  output: Properties = {},
  form: PageForm,
): Omit<PageBox, 'masks'> {
  const bounds = { min: 0, max: maxSide, parent: 'output' }
  const width = numberOf(output, 'width', 0, bounds)
  const height = numberOf(output, 'height', 0, bounds)
  if (width === 0 && height === 0) return pixelPage(name, box, form)
  const { fit = 'refuse' } = form
  if (!(width > 0 && height > 0)) throw new Undrawable('page', 'The view has no output size in millimetres.')
  const bleed = numberOf(output, 'bleed', 0, { min: 0, max: 100, parent: 'output' })
  const finishing = {
    ...finishingOf(output, 'cutLine', 'CutContour'),
    ...finishingOf(output, 'whiteUnderprint', 'White'),
  }
  const ratio = box.width / box.height / (width / height)
  if (Math.abs(ratio - 1) <= tolerance)
    return { name, box: ofRatio(box, width / height), width, height, bleed, finishing }
  const sizes = `The printing box (${round(box.width)} × ${round(box.height)} px) and the output (${round(width)} × ${round(height)} mm) differ in their ratio`
  if (fit === 'refuse') {
    throw new Undrawable('page', `${sizes}, so that the print would be distorted.`)
  }
  const note = `${sizes}; ${fitNotes[fit]}.`
  return { name, box: fittedBox(box, width / height, fit), width, height, bleed, finishing, note }
}

/** A page without a size on paper: as PNG or JPEG it has the pixels of the box, whatever `dpi` is. @throws Undrawable for other formats */
function pixelPage(
  name: string | undefined,
  box: Rectangle,
  { format, dpi }: PageForm,
): Omit<PageBox, 'masks'> {
  if (format !== 'png' && format !== 'jpeg') {
    const message =
      'The view has no output size in millimetres. It can be exported as PNG or JPEG, in the pixels of the stage.'
    throw new Undrawable('page', message)
  }
  const [pixelWidth, pixelHeight] = [Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height))]
  const note = `The view has no output size in millimetres; it is exported in the pixels of the stage (${pixelWidth} × ${pixelHeight}).`
  const [width, height] = [(pixelWidth * 25.4) / dpi, (pixelHeight * 25.4) / dpi]
  return { name, box, width, height, bleed: 0, finishing: {}, note }
}

/** One finishing with its spot color; empty without it. The output stores `true` for the standard name, a name, or an object with the name as `spot`. */
function finishingOf(output: Properties, property: keyof Finishing, standard: string): Finishing {
  const value = output[property]
  if (!isSet(output, property) || value === '0' || value === 'no') return {}
  const isPlain = flagOf(output, property)
  const name = isPlain
    ? standard
    : textOf(typeof value === 'object' ? objectOf(value) : { spot: value }, 'spot', standard)
  return { [property]: name.slice(0, 80) }
}

/** How a box of another ratio is fitted, as the end of the note. */
const fitNotes = {
  contain: 'the whole box is printed, and around it what the stage shows there',
  cover: 'the box fills the page, and its longer side is cut',
  center: 'the box is as wide as the page, and its middle is printed in the middle',
}

/** The part of the stage that a page shows, around the middle of the box. @param ratio width by height of the page */
function fittedBox(
  { x, y, width, height }: Rectangle,
  ratio: number,
  fit: Exclude<Fit, 'refuse'>,
): Rectangle {
  const keepsWidth = fit === 'center' || (fit === 'contain') === width > height * ratio
  const [w, h] = keepsWidth ? [width, width / ratio] : [height * ratio, height]
  return { x: x + (width - w) / 2, y: y + (height - h) / 2, width: w, height: h }
}

/** The box with exactly the ratio of the page: stored sizes are rounded. The side that is too long is cut at its end. */
function ofRatio(box: Rectangle, ratio: number): Rectangle {
  const { width, height } = box
  return width > height * ratio ? { ...box, width: height * ratio } : { ...box, height: width / ratio }
}

const round = (value: number) => Math.round(value * 100) / 100
