// Reads the print areas of a view, which the designer stores with their box as an object, or with its sides as properties.

import { foreignJson } from '../json/untrusted.ts'
import type { Rectangle } from './matrix.ts'
import { quoted, Undrawable } from './refusal.ts'
import { flagOf, isSet, numberOf, objectOf, type Properties, textOf } from './values.ts'

/** A part of a view that is printed on a page of its own. */
export interface PrintArea {
  /** The name by which the `boundingBox` of elements refers to it; empty if it has none. */
  id: string
  /** The name in messages and summaries. */
  name: string
  /** Whether it becomes a page. */
  isPrinted: boolean
  /** Whether the designer does not show it, so that it confines no element by default. */
  isExportOnly: boolean
  /** The stored size of its page; undefined if it has that of the view. */
  output: Properties | undefined
  /** The stored properties. */
  options: Properties
  /** The rectangle of the stage. @throws Undrawable if it is missing or turned */
  box(): Rectangle
}

/** The id of the main area (`mainArea`), if a view has one with it. */
export const mainId = 'boundingBox'

/** The print areas of a view, in their order; empty if it has none. @throws Undrawable if the list is not readable */
export function areasOf(options: Properties): PrintArea[] {
  const stored = storedOf(options, 'printAreas')
  const list = Array.isArray(stored) ? stored : Object.values(objectOf(stored))
  const areas = list.map(objectOf)
  return areas.map((area, index) => {
    const id = textOf(area, 'id', '')
    const name = textOf(area, 'name', '') || textOf(area, 'title', '') || id || `Area ${index + 1}`
    return {
      id,
      name,
      isPrinted: !flagOf(area, 'excludeFromExport'),
      isExportOnly: flagOf(area, 'exportOnly'),
      output: outputOf(area),
      options: area,
      box: () => areaBox(area, name, areas.length === 1 ? options : {}),
    }
  })
}

/** The area that confines elements with `usePrintingBoxAsBounding`: the one with `mainId`, else the first that the designer shows, else the first. */
export const mainArea = (areas: readonly PrintArea[]): PrintArea | undefined =>
  areas.find(({ id }) => id === mainId) ?? areas.find(({ isExportOnly }) => !isExportOnly) ?? areas[0]

/** The printing box of a view without print areas: the stored one, or the whole stage. @throws Undrawable if neither is known */
export function printingBox(options: Properties): Rectangle {
  const box = objectOf(storedOf(options, 'printingBox'))
  if (Object.keys(box).length > 0) return rectangleOf(box, 'The printing box')
  const width = numberOf(options, 'stageWidth', undefined, { min: 1 })
  const height = numberOf(options, 'stageHeight', undefined, { min: 1 })
  if (width === undefined || height === undefined)
    throw new Undrawable('page', 'The view has no printing box.')
  return { x: 0, y: 0, width, height }
}

/** The stored output of a view or an area; undefined if it has neither a width nor a height. @throws Undrawable if it is not readable */
export function outputOf(options: Properties): Properties | undefined {
  const output = objectOf(storedOf(options, 'output'))
  return isSet(output, 'width') || isSet(output, 'height') ? output : undefined
}

/** The rectangle of an area. @param view the options of the view if this is its only area, which may leave its box to the view */
function areaBox(area: Properties, name: string, view: Properties): Rectangle {
  const what = `The print area ${quoted(name)}`
  const nested = objectOf(storedOf(area, 'printingBox'))
  if (Object.keys(nested).length > 0) return rectangleOf(nested, what)
  const isFlat = isSet(area, 'width') || isSet(area, 'height')
  return isFlat || !isSet(view, 'printingBox') ? rectangleOf(area, what) : printingBox(view)
}

/** The rectangle in a stored box. @param what names the box in messages @throws Undrawable if it is missing or turned */
function rectangleOf(box: Properties, what: string): Rectangle {
  const x = numberOf(box, 'left', undefined) ?? numberOf(box, 'x', 0)
  const y = numberOf(box, 'top', undefined) ?? numberOf(box, 'y', 0)
  const width = numberOf(box, 'width', 0)
  const height = numberOf(box, 'height', 0)
  if (!(width > 0 && height > 0)) throw new Undrawable('page', `${what} has no width and height.`)
  assertUpright(box, what)
  return { x, y, width, height }
}

/** Throws Undrawable for a turned box: the designer draws all boxes upright, so that its page is unknown. */
function assertUpright(box: Properties, what: string): void {
  for (const name of ['angle', 'rotation', 'degree']) {
    const angle = numberOf(box, name, 0)
    if (angle % 360 !== 0)
      throw new Undrawable('page', `${what} is turned by ${angle}°; only upright boxes can be printed.`)
  }
}

/** A stored property. PHP stores some objects as JSON text, which is parsed. @throws Undrawable if the text is not readable */
function storedOf(properties: Properties, name: string): unknown {
  const value = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (typeof value !== 'string' || value.trim() === '') return value
  const parsed = foreignJson(value)
  if (typeof parsed === 'object') return parsed
  throw new Undrawable('page', `The property ${name} is not readable.`)
}
