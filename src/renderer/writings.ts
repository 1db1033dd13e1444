// Refuses text that cannot be laid out as browsers do: in scripts for which fontkit has no rules, so that their letters would be printed in
// a wrong order.
import { quoted, Undrawable } from './refusal.ts'

const myanmar = /\p{sc=Myanmar}/u

/** Checks a text before it is laid out. @throws Undrawable for a text whose letters would have other places and forms than in browsers */
export function assertLayout(text: string, font: string): void {
  if (myanmar.test(text)) throw noLayout(text, font)
}

/** The refusal of a text, with what the customer can do; face.ts also throws it if fontkit fails on a text. */
export const noLayout = (text: string, font: string) =>
  new Undrawable(
    'font',
    `Text such as ${quoted(text)} cannot be laid out in the font ${quoted(font)} as browsers do. Convert it to outlines, and place it as an SVG drawing.`,
  )
