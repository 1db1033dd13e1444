// A view's stored elements as they are painted: only the printed ones, in order, each with its defaults.
import { isLossy, undamaged } from './damaged-text.ts'
import type { StoredView } from './design.ts'
import { type Element, effectOf, isVisible, readElement, titleOf } from './element.ts'
import { stageOf } from './page.ts'
import { areasOf, mainId, type PrintArea } from './print-areas.ts'
import { type Findings, shown, Undrawable } from './refusal.ts'
import { currentNames, unknownNames } from './stored-names.ts'
import type { TextElement } from './text-element.ts'
import { flagOf, isSet, numberOf, objectOf, type Properties } from './values.ts'

export interface Scene {
  title: string
  /** The printed elements, from bottom to top. */
  elements: Element[]
  /** All elements of the view by title, even those that are not printed: they may clip others. */
  byTitle: Map<string, Properties>
  /** The print areas of the view by their ids: they may clip elements, too. */
  areas: Map<string, PrintArea>
}

const maxElements = 2000
/** Unknown properties that are reported by name. */
const maxUnknown = 10

/**
 * @param settings `named` is an entry of names and numbers, whose texts are shown; a preview shows the product as well, which is
 * not printed
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
    const read = () => readElement(centered(nameEntry ? withName(stored, nameEntry) : stored, view.options))
    const unknown = unknownNames(objectOf(stored.parameters))
    const warn = (message: string) =>
      findings.warn({ code: 'feature', view: view.title, element: titleOf(stored), message })
    if (unknown.length > 0) {
      const names = unknown.slice(0, maxUnknown).map(shown).join(', ')
      const more = unknown.length > maxUnknown ? ' and more' : ''
      warn(`Unknown properties have no effect on the print: ${names}${more}.`)
    }
    const effect = effectOf(stored)
    if (effect !== undefined)
      warn(`The effect ${shown(effect)} is printed with the stored fill, stroke and shadow alone.`)
    const element = findings.try(view.title, titleOf(stored), read)
    if (element?.kind === 'text') warnOfDamage(element, view.title, findings)
    return element ? [confined(element, view, { areas: byId, byTitle }, findings)] : []
  })
  return { title: view.title, elements, byTitle, areas: byId }
}

/** What is stored is printed, because only the shop can know what was meant. */
function warnOfDamage({ title, text }: TextElement, view: string, findings: Findings): void {
  const warn = (message: string, value?: string) =>
    findings.warn({ code: 'value', view, element: title, message, ...(value !== undefined && { value }) })
  const probable = undamaged(text)
  if (probable !== undefined)
    warn(
      `The text ${shown(text)} looks damaged and is printed as it is stored; probably it was ${shown(probable)}.`,
      probable,
    )
  if (isLossy(text))
    warn(`The text ${shown(text)} holds a sign in place of a character that was lost (U+FFFD).`)
}

/** The designer does not confine an element whose bounding box it does not find. */
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
  const message = `The bounding box is ${shown(title)}, which is neither a print area nor an element of the view: nothing is cut off.`
  findings.warn({ code: 'box', view: view.title, element: element.title, message })
  return { ...element, clip: undefined }
}

/** Elements are inserted one by one: at the index that they specify, else at the end; topped ones stay above all others. */
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
 * The designer puts an element without a place into the middle of its bounding box, else of the stage.
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

/** @throws Undrawable if the entry lacks what the element shows */
function withName(stored: Properties, named: Properties): Properties {
  const parameters = objectOf(stored.parameters)
  const isName = isPlaceholder(parameters.textPlaceholder)
  if (!isName && !isPlaceholder(parameters.numberPlaceholder)) return stored
  const text = named[isName ? 'name' : 'number']
  // A shirt may have a number alone.
  if (isName && !isText(text) && isText(named.number))
    return { ...stored, source: '', parameters: { ...parameters, text: '' } }
  if (!isText(text)) {
    const [lacking, other] = isName ? ['name', 'number'] : ['number', 'name']
    const message = `An entry of names and numbers has no ${lacking}; an empty one prints the ${other} alone.`
    throw new Undrawable('value', message)
  }
  return { ...stored, source: String(text), parameters: { ...parameters, text: String(text) } }
}

const isText = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

const isPlaceholder = (value: unknown) =>
  value !== undefined && value !== null && value !== false && value !== ''
