// The type of a face: a font in one style, which shapes words, measures them, and returns the outlines of glyphs. font-face.ts makes one of a
// font file, emoji.ts one of drawings.
import type { Piece } from './directions.ts'
import type { FontStyle } from './font-tables.ts'
import type { Shaped } from './layout-cache.ts'
import type { Mark } from './marks.ts'
import type { Rectangle } from './matrix.ts'
import type { Outline } from './outline.ts'

/** A font in one style, as text is drawn with it. Lengths are in em and y points downwards unless stated otherwise. */
export interface Face {
  /** The name by which marks refer to it. */
  key: string
  /** The family's name as in the design, for messages. */
  name: string
  /** The name in the file, which may be any text. */
  postscriptName: string
  /** The font file. */
  bytes: Uint8Array
  /** The file that a PDF embeds: `bytes`, or of another instance of a variable font a file with the glyphs that were shaped so far. */
  embedded(): Uint8Array
  /** Of a font with optical sizes: the face for a text of a size in pixels. */
  sized?(size: number): Face
  /** The face with which fabric.js measures, if it is another one. */
  measured?: Face
  /** Whether distances between letters may differ a little from those of a browser. */
  mayDiffer: boolean
  /** The words and single spaces of a text, which a browser shapes separately, in visual order, each with its face. */
  pieces(text: string): FacedPiece[]
  /** Whether the font has a glyph for each character. */
  covers(text: string): boolean
  /** Faces for characters that this one lacks, in the order in which they are tried. */
  fallbacks: readonly Fallback[]
  /** The glyphs of a piece. @throws Undrawable if one is missing, or the font's rules cannot be applied */
  shape(piece: Piece): Shaped
  /** The width of a character or a pair, as fabric.js measures it. */
  width(text: string): number
  outline(glyph: number): Outline
  /** The rectangle around the outline; undefined if it is empty. */
  extent(glyph: number): Rectangle | undefined
  /** From the middle of the line to the baseline, for text that is centered on a path. */
  middle: number
  /** How far an italic made from an upright font leans, for each em of height; 0 otherwise. `outline` leans already. */
  slant: number
  /** The width of the stroke, in pixels, that makes a text of a size bold; 0 if the font needs none. */
  bolder(size: number): number
  /** Styles that are made from the file's: requested, and not declared by the file. */
  made: FontStyle
  /** Only of the face of emoji in color (emoji.ts), whose `outline` is empty: the marks of a glyph, in em. */
  picture?(glyph: number): Mark | undefined
}

/** A piece of text with the face in which it is drawn. */
export interface FacedPiece extends Piece {
  face: Face
}

/** A face for characters that another one lacks. */
export interface Fallback {
  face: Face
  /** The clusters that were drawn with it, for a warning. */
  used: Set<string>
}
