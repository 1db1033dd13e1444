// Reads the stored elements of a view as they are painted: from bottom to top, each with its defaults, without those that are not printed.
import { isLossy, undamaged } from './damaged-text.ts'
import type { StoredView } from './design.ts'
import { type Element, effectOf, isVisible, readElement, titleOf } from './element.ts'
import { stageOf } from './page.ts'
import { areasOf, mainId, type PrintArea } from './print-areas.ts'
import { type Findings, quoted, Undrawable } from './refusal.ts'
import { currentNames, unknownNames } from './stored-names.ts'
import type { TextElement } from './text-element.ts'
import { flagOf, isSet, numberOf, objectOf, type Properties } from './values.ts'

/** The elements of a view. */
export interface Scene {
  /** The title of the view. */
  title: string
  /** The painted elements, from bottom to top. */
  elements: Element[]
  /** All stored elements of the view by title, even those that are not painted: they may clip others. Of equal titles the last. */
  byTitle: Map<string, Properties>
  /** The print areas of the view by their ids: they may clip elements, too. Of equal ids the first. */
  areas: Map<string, PrintArea>
}

const maxElements = 2000
/** Maximum unknown properties of an element that are reported by name. */
const maxUnknown = 10

/**
 * The scene of a view. An element that cannot be read becomes a refusal and is left out.
 * @param options.nameEntry an entry of names and numbers, whose texts replace those of placeholders
 * @param options.isPreview whether elements with `excludeFromExport`, such as the product, are painted, too
 */
export function sceneOf(
  view: StoredView,
  findings: Findings,
  { nameEntry, isPreview = false }: { nameEntry?: Properties | undefined; isPreview?: boolean } = {},
): Scene {
  const areas = findings.try(view.title, null, () => areasOf(view.options)) ?? []
  const byId = new Map(areas.toReversed().map((area) => [area.id, area]))
  const byTitle = new Map(view.elements.map((element) => [titleOf(element), element]))
  if (view.elements.length > maxElements) {
    const message = `The view has ${view.elements.length} elements; at most ${maxElements} are drawn.`
    findings.refuse({ code: 'limit', view: view.title, element: null, message })
    return { title: view.title, elements: [], byTitle, areas: byId }
  }
  const elements = inOrder(view, findings, isPreview).flatMap((stored) => {
    const readStored = () =>
      readElement(centered(nameEntry ? withName(stored, nameEntry) : stored, view.options))
    const unknown = unknownNames(objectOf(stored.parameters))
    const warn = (message: string) =>
      findings.warn({ code: 'feature', view: view.title, element: titleOf(stored), message })
    if (unknown.length > 0) {
      const names = unknown.slice(0, maxUnknown).map(quoted).join(', ')
      const more = unknown.length > maxUnknown ? ' and more' : ''
      warn(`Unknown properties have no effect on the print: ${names}${more}.`)
    }
    const effect = effectOf(stored)
    if (effect !== undefined)
      warn(`The effect ${quoted(effect)} is printed with the stored fill, stroke and shadow alone.`)
    const element = findings.try(view.title, titleOf(stored), readStored)
    if (element?.kind === 'text') warnOfDamage(element, view.title, findings)
    return element ? [confined(element, view, { areas: byId, byTitle }, findings)] : []
  })
  return { title: view.title, elements, byTitle, areas: byId }
}

/** Warns of a text that looks damaged. It is printed as it is stored, because only the shop can know what was meant. */
function warnOfDamage({ title, text }: TextElement, view: string, findings: Findings): void {
  const warn = (message: string, value?: string) =>
    findings.warn({ code: 'value', view, element: title, message, ...(value !== undefined && { value }) })
  const probable = undamaged(text)
  if (probable !== undefined)
    warn(
      `The text ${quoted(text)} looks damaged and is printed as it is stored; probably it was ${quoted(probable)}.`,
      probable,
    )
  if (isLossy(text))
    warn(`The text ${quoted(text)} holds a sign in place of a character that was lost (U+FFFD).`)
}

/** The element; without its clip if that names an area or an element which the view lacks, because the designer does not confine it then. */
function confined(
  element: Element,
  view: StoredView,
  { areas, byTitle }: Pick<Scene, 'areas' | 'byTitle'>,
  findings: Findings,
): Element {
  if (element.clip?.of !== 'element') return element
  const { title } = element.clip
  if (areas.has(title) || byTitle.has(title)) return element
  if (title === mainId) return { ...element, clip: { of: 'printing box' } }
  const message = `The bounding box is ${quoted(title)}, which is neither a print area nor an element of the view: nothing is cut off.`
  findings.warn({ code: 'box', view: view.title, element: element.title, message })
  return { ...element, clip: undefined }
}

/** The painted elements from bottom to top, inserted one by one as in the designer: at the index `z`, else at the end; `topped` ones above all. */
function inOrder(view: StoredView, findings: Findings, isPreview: boolean): Properties[] {
  const below: Properties[] = []
  const topped: Properties[] = []
  for (const stored of view.elements) {
    const parameters = objectOf(stored.parameters)
    const z = findings.try(view.title, titleOf(stored), () => numberOf(parameters, 'z', -1)) ?? -1
    if (flagOf(parameters, 'topped')) topped.push(stored)
    else if (z >= 0 && z < below.length) below.splice(Math.floor(z), 0, stored)
    else below.push(stored)
  }
  return [...below, ...topped].filter((stored) => isPainted(objectOf(stored.parameters), isPreview))
}

const isPainted = (parameters: Properties, isPreview: boolean) =>
  isVisible(parameters) &&
  !flagOf(parameters, 'uploadZone') &&
  (isPreview || !flagOf(parameters, 'excludeFromExport'))

/**
 * The element with a place: the designer puts one without into the middle of its bounding box, else of the stage.
 * @throws Undrawable if neither is known
 */
function centered(stored: Properties, options: Properties): Properties {
  const parameters = currentNames(objectOf(stored.parameters))
  const isPlaced = ['left', 'top'].some((name) => parameters[name] !== undefined && parameters[name] !== null)
  if (isPlaced || !flagOf(parameters, 'autoCenter')) return stored
  const box = objectOf(parameters.boundingBox)
  const { width, height, x, y } = isSet(box, 'width') ? rectangleIn(box) : stageOf(options).box
  const place = { left: x + width / 2, top: y + height / 2, originX: 'center', originY: 'center' }
  return { ...stored, parameters: { ...parameters, ...place } }
}

const rectangleIn = (box: Properties) => ({
  x: numberOf(box, 'x', 0),
  y: numberOf(box, 'y', 0),
  width: numberOf(box, 'width', 0),
  height: numberOf(box, 'height', 0),
})

/** The element with the name or number of an entry, if it is a placeholder. @throws Undrawable if the entry lacks it */
function withName(stored: Properties, nameEntry: Properties): Properties {
  const parameters = objectOf(stored.parameters)
  const isName = isPlaceholder(parameters.textPlaceholder)
  if (!isName && !isPlaceholder(parameters.numberPlaceholder)) return stored
  const text = nameEntry[isName ? 'name' : 'number']
  // A shirt may have a number without a name.
  if (isName && !isText(text) && isText(nameEntry.number))
    return { ...stored, source: '', parameters: { ...parameters, text: '' } }
  if (!isText(text)) {
    const [lacking, present] = isName ? ['name', 'number'] : ['number', 'name']
    const message = `An entry of names and numbers has no ${lacking}; an empty one prints the ${present} alone.`
    throw new Undrawable('value', message)
  }
  return { ...stored, source: String(text), parameters: { ...parameters, text: String(text) } }
}

const isText = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

const isPlaceholder = (value: unknown) =>
  value !== undefined && value !== null && value !== false && value !== ''
