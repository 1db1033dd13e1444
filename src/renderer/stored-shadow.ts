// The shadow of an element, as the designer stores it, or as fabric does: an object, or text as in CSS.
import type { Shadow } from './element-common.ts'
import { shown, Undrawable } from './refusal.ts'
import { colorIn, colorOf, flagOf, isSet, numberOf, objectOf, type Properties } from './values.ts'

const bounds = { min: 0, max: 1000 }

/** @throws Undrawable */
export function shadowOf(given: Properties): Shadow | undefined {
  const color = colorOf(given, 'shadowColor')
  if (color === undefined) return isSet(given, 'shadow') ? ownShadow(given.shadow) : undefined
  const blur = numberOf(given, 'shadowBlur', 0, bounds)
  const [dx, dy] = [numberOf(given, 'shadowOffsetX', 0), numberOf(given, 'shadowOffsetY', 0)]
  // Directly below the element without a blur, it would still show through transparent parts.
  return { color, blur, dx, dy }
}

function ownShadow(given: unknown): Shadow | undefined {
  if (typeof given === 'string') return fromText(given)
  const properties = objectOf(given)
  const color = colorOf(properties, 'color')
  if (color === undefined) return undefined
  const blur = numberOf(properties, 'blur', 0, bounds)
  return {
    ...{ color, blur, dx: numberOf(properties, 'offsetX', 0), dy: numberOf(properties, 'offsetY', 0) },
    ...(flagOf(properties, 'affectStroke') && { isOfStrokes: true }),
    ...(flagOf(properties, 'nonScaling') && { isUniform: true }),
  }
}

/** `rgba(0,0,0,.3) 5px 5px 10px`, or the color at the end. */
function fromText(text: string): Shadow | undefined {
  const lengths =
    /(-?\d{1,6}(?:\.\d{1,9})?)(?:px)?\s+(-?\d{1,6}(?:\.\d{1,9})?)(?:px)?(?:\s+(\d{1,6}(?:\.\d{1,9})?)(?:px)?)?(?![\d.,)%])/.exec(
      text.slice(0, 200),
    )
  if (!lengths)
    throw new Undrawable('feature', `The property shadow is ${shown(text)}, which cannot be drawn.`)
  const [whole, dx, dy, blur = 0] = lengths
  const color = colorIn(text.replace(whole, '').trim() || 'black', 'shadow')
  return color && { color, blur: Number(blur), dx: Number(dx), dy: Number(dy) }
}
