// Changes the shapes of a drawing that was read (text becomes outlines, fills and colors are replaced), and measures them.
import type { Drawing, DrawnShape } from './drawing.ts'
import { needOfText, outlinedText } from './drawing-text.ts'
import type { Face } from './face.ts'
import { type Color, isGradient, type Paint } from './marks.ts'
import type { Rectangle } from './matrix.ts'
import { extentOf, rectangle, transformed } from './outline.ts'
import type { FontNeed } from './task.ts'

/**
 * The drawing with its text as outlines.
 * @param faceOf finds the face for a text of a size in pixels; throws Undrawable
 * @param faces all faces by the keys that marks have
 * @throws Undrawable if a font is missing or lacks a character, or for an emoji in color
 */
export function lettered(
  drawing: Drawing,
  faceOf: (need: FontNeed, size: number) => Face,
  faces: ReadonlyMap<string, Face>,
): Drawing {
  const shapes = [...drawing.shapes]
  for (const { index, text, shapeWith } of drawing.texts)
    shapes[index] = shapeWith(outlinedText(text, faceOf(needOfText(text), text.element.size), faces))
  return { ...drawing, shapes, texts: [] }
}

/** Shapes with other fills, in their order: undefined for no fill, `own` for the fill of the drawing. */
export function refilled(shapes: DrawnShape[], fills: readonly (Color | undefined | 'own')[]): DrawnShape[] {
  return shapes.map((shape, index) => {
    const fill = index < fills.length ? fills[index] : 'own'
    return fill === 'own' || shape.isHidden ? shape : { ...shape, mark: { ...shape.mark, fill } }
  })
}

/** Shapes whose colors are all replaced by those that `change` returns. */
export function recolored(shapes: DrawnShape[], change: (color: Color) => Color): DrawnShape[] {
  const changed = (paint: Paint): Paint =>
    isGradient(paint)
      ? { ...paint, stops: paint.stops.map((stop) => ({ ...stop, color: change(stop.color) })) }
      : change(paint)
  return shapes.map((shape) => {
    const { fill, stroke } = shape.mark
    const newStroke = stroke && { ...stroke, paint: changed(stroke.paint) }
    return { ...shape, mark: { ...shape.mark, fill: fill && changed(fill), stroke: newStroke } }
  })
}

/** The rectangle around all shapes, without their strokes. */
export const extentOfShapes = (shapes: DrawnShape[]): Rectangle =>
  extentOf(
    shapes.flatMap(({ mark, matrix, box }) => transformed(box ? rectangle(box) : mark.outline, matrix)),
  )
