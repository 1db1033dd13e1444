// Reads stored elements: texts and pictures with all their defaults resolved.
import { commonOf } from './element-common.ts'
import { type PictureElement, pictureElement } from './picture-element.ts'
import { quoted, Undrawable } from './refusal.ts'
import { currentNames } from './stored-names.ts'
import { type TextElement, textElement } from './text-element.ts'
import { flagOf, isSet, objectOf, type Properties, textOf } from './values.ts'

/** An element of a design. */
export type Element = TextElement | PictureElement

/** Properties with visible effects that the renderer does not support; an element with one is refused. */
const unsupported = ['gradient', 'mask'] as const

/** A type of text with a shading that differs among versions of the designer, and is not printed. */
const effectType = /^engraved-?text$/i
const textType = /^(i-?text|text|text-?box|curved-?text|(?:neon|engraved)-?text)$/i
const pictureType = /^(image|svg|path|path-group|group)$/i

/** Reads an element as the designer stored it. @throws Undrawable if it cannot be drawn as the designer shows it */
export function readElement(stored: Properties): Element {
  const parameters = currentNames(objectOf(stored.parameters))
  const type = typeof stored.type === 'string' ? stored.type : textOf(parameters, 'type', 'image')
  if (!(textType.test(type) || pictureType.test(type))) {
    throw new Undrawable(
      'feature',
      `An element of type ${quoted(type)} cannot be drawn. Known are text and image; a shape is an image: an SVG of the library or a data: URL.`,
    )
  }
  for (const name of unsupported) {
    if (isSet(parameters, name)) throw new Undrawable('feature', `The property ${name} cannot be drawn.`)
  }
  const common = commonOf(titleOf(stored), parameters)
  return textType.test(type)
    ? textElement(type, stored, parameters, common)
    : pictureElement(stored, parameters, common)
}

/** The title of a stored element; empty if it has none. */
export const titleOf = (stored: Properties) => (typeof stored.title === 'string' ? stored.title : '')

/** Whether the property `visible` of an element does not hide it. */
export const isVisible = (parameters: Properties) =>
  parameters.visible === undefined || parameters.visible === null || flagOf(parameters, 'visible')

/** The name of a text effect that is not printed, for a warning; undefined if the element has none. */
export function effectOf(stored: Properties): string | undefined {
  const parameters = objectOf(stored.parameters)
  if (typeof stored.type === 'string' && effectType.test(stored.type)) return stored.type
  return isSet(parameters, 'engravedText') ? 'engravedText' : undefined
}
