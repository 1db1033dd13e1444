import { commonOf } from './element-common.ts'
import { type PictureElement, pictureElement } from './picture-element.ts'
import { shown, Undrawable } from './refusal.ts'
import { currentNames } from './stored-names.ts'
import { type TextElement, textElement } from './text-element.ts'
import { flagOf, isSet, objectOf, type Properties, textOf } from './values.ts'

export type Element = TextElement | PictureElement

/** Properties with visible effects that the renderer does not support. */
const unknownLooks = ['gradient', 'mask'] as const

/** Text whose shading differs among versions of the designer. */
const effectType = /^engraved-?text$/i
const textType = /^(i-?text|text|text-?box|curved-?text|(?:neon|engraved)-?text)$/i
const pictureType = /^(image|svg|path|path-group|group)$/i

/** @throws Undrawable with the cause */
export function readElement(stored: Properties): Element {
  const parameters = currentNames(objectOf(stored.parameters))
  const type = typeof stored.type === 'string' ? stored.type : textOf(parameters, 'type', 'image')
  if (!(textType.test(type) || pictureType.test(type))) {
    throw new Undrawable('feature', `An element of type ${shown(type)} cannot be drawn.`)
  }
  for (const name of unknownLooks) {
    if (isSet(parameters, name)) throw new Undrawable('feature', `The property ${name} cannot be drawn.`)
  }
  const common = commonOf(titleOf(stored), parameters)
  return textType.test(type)
    ? textElement(type, stored, parameters, common)
    : pictureElement(stored, parameters, common)
}

export const titleOf = (stored: Properties) => (typeof stored.title === 'string' ? stored.title : '')

/** Whether the element is shown at all. */
export const isVisible = (parameters: Properties) =>
  parameters.visible === undefined || parameters.visible === null || flagOf(parameters, 'visible')

/** The effect of a text that is printed with its stored fill, stroke and shadow alone; undefined if it has none. */
export function effectOf(stored: Properties): string | undefined {
  const parameters = objectOf(stored.parameters)
  if (typeof stored.type === 'string' && effectType.test(stored.type)) return stored.type
  return isSet(parameters, 'engravedText') ? 'engravedText' : undefined
}
