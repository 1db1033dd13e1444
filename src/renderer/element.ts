// One stored element with every default resolved: its kind, position and paint.
import { clipPathOf } from './clip-path.ts'
import { type Common, type StoredClip, shadowOf, strokeOf, strokeWidthOf } from './element-common.ts'
import { type Blend, blends } from './marks.ts'
import { type PictureElement, pictureElement } from './picture-element.ts'
import { placementOf } from './placement.ts'
import { shown, Undrawable } from './refusal.ts'
import { currentNames } from './stored-names.ts'
import { type TextElement, textElement } from './text-element.ts'
import { choiceOf, colorOf, flagOf, isSet, numberOf, objectOf, type Properties, textOf } from './values.ts'

export type Element = TextElement | PictureElement

/** Properties with visible effects that the renderer does not support. */
const unknownLooks = ['gradient', 'mask'] as const

/** Text whose shading differs among versions of the designer. */
const effectType = /^engraved-?text$/i
const textType = /^(i-?text|text|text-?box|curved-?text|(?:neon|engraved)-?text)$/i
const pictureType = /^(image|svg|path|path-group|group)$/i

/** @throws Undrawable with the cause */
export function readElement(stored: Properties): Element {
  const given = currentNames(objectOf(stored.parameters))
  const type = typeof stored.type === 'string' ? stored.type : textOf(given, 'type', 'image')
  if (!(textType.test(type) || pictureType.test(type))) {
    throw new Undrawable('feature', `An element of type ${shown(type)} cannot be drawn.`)
  }
  for (const name of unknownLooks) {
    if (isSet(given, name)) throw new Undrawable('feature', `The property ${name} cannot be drawn.`)
  }
  const common: Common = {
    title: titleOf(stored),
    placement: placementOf(given),
    opacity: opacityOf(given),
    blend: blendOf(given),
    shadow: shadowOf(given),
    stroke: strokeOf(given),
    strokeWidth: strokeWidthOf(given),
    isUniform: flagOf(given, 'strokeUniform'),
    paintFirst: choiceOf(given, 'paintFirst', ['fill', 'stroke'], 'fill'),
    background: colorOf(given, 'backgroundColor'),
    clip: clipOf(given) ?? pathClip(given),
  }
  return textType.test(type)
    ? textElement(type, stored, given, common)
    : pictureElement(stored, given, common)
}

export const titleOf = (stored: Properties) => (typeof stored.title === 'string' ? stored.title : '')

/** Whether the element is shown at all. */
export const isVisible = (given: Properties) =>
  given.visible === undefined || given.visible === null || flagOf(given, 'visible')

/** A canvas ignores what is not between 0 and 1. */
function opacityOf(given: Properties): number {
  const opacity = numberOf(given, 'opacity', 1)
  return opacity >= 0 && opacity <= 1 ? opacity : 1
}

function blendOf(given: Properties): Blend | undefined {
  const covering = 'source-over'
  const name = choiceOf(given, 'globalCompositeOperation', [covering, ...blends], covering)
  return name === covering ? undefined : name
}

/** The effect of a text that is printed with its stored fill, stroke and shadow alone; undefined if it has none. */
export function effectOf(stored: Properties): string | undefined {
  const given = objectOf(stored.parameters)
  if (typeof stored.type === 'string' && effectType.test(stored.type)) return stored.type
  return isSet(given, 'engravedText') ? 'engravedText' : undefined
}

function pathClip(given: Properties): StoredClip | undefined {
  const path = clipPathOf(given)
  return path && { of: 'path', ...path }
}

function clipOf(given: Properties): StoredClip | undefined {
  const modes = ['clipping', 'inside', 'limitModify', 'none'] as const
  if (choiceOf(given, 'boundingBoxMode', modes, 'clipping') !== 'clipping') return undefined
  if (flagOf(given, 'usePrintingBoxAsBounding')) return { of: 'printing box' }
  const { boundingBox: box } = given
  if (typeof box === 'string') return box === '' ? undefined : { of: 'element', title: box }
  if (typeof box !== 'object' || box === null) return undefined
  const properties = objectOf(box)
  if (Object.keys(properties).length === 0) return undefined
  const [width, height] = [side(properties, 'width'), side(properties, 'height')]
  if (width === undefined || height === undefined) {
    throw new Undrawable('box', 'The bounding box has no width and height.')
  }
  const radius = numberOf(properties, 'borderRadius', 0, { min: 0 })
  return {
    of: 'rectangle',
    x: numberOf(properties, 'x', 0),
    y: numberOf(properties, 'y', 0),
    width,
    height,
    radius,
  }
}

const side = (properties: Properties, name: string) => numberOf(properties, name, undefined, { min: 0 })
