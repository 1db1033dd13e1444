// One font file: shapes words, measures them, returns the outlines of its glyphs. Runs in the renderer's process.
import { create, type Font, type Glyph } from 'fontkit'
import { withSymbolCharacters } from '../files/font/symbols.ts'
import { composed } from './composed.ts'
import { asMeasured, type Directions, oneDirection, type Piece } from './directions.ts'
import { hasOpticalSizes, type Instance, instanceOf, staticFile } from './font-instance.ts'
import {
  assertPlain,
  declaredStyle,
  type FontStyle,
  guarded,
  hasVariableKerning,
  limitRules,
  middleOf,
  postscriptNameOf,
  tablesOf,
  unreadable,
} from './font-tables.ts'
import { hanSpacing, hasHanPunctuation } from './han-spacing.ts'
import { keptFont } from './kept-fonts.ts'
import { isKernKept } from './kern-table.ts'
import type { Mark, PlacedGlyph } from './marks.ts'
import type { Rectangle } from './matrix.ts'
import { extentOf, type Outline, type Segment, transformed } from './outline.ts'
import { Undrawable } from './refusal.ts'

export interface Shaped {
  /** From the origin of the word, in em, y downwards. */
  glyphs: PlacedGlyph[]
  /** In em. */
  width: number
}

export interface Face {
  key: string
  /** The family's name as in the design, for messages. */
  name: string
  /** As the file has it: any text. */
  postscriptName: string
  bytes: Uint8Array
  /** The file that a PDF embeds: of a variable font the instance, with the glyphs that were shaped. */
  embedded(): Uint8Array
  /** Of a font with optical sizes: the face for a text of so many pixels. */
  sized?(size: number): Face
  /** The face with which fabric.js measures, if it is another one. */
  measured?: Face
  /** Whether distances between letters may differ a little from those of a browser. */
  mayDiffer: boolean
  /** Words and single spaces, which the browser shapes separately, as they are seen from left to right, each with its face. */
  pieces(text: string): FacedPiece[]
  /** Whether the font has a glyph for each character. */
  covers(text: string): boolean
  /** Faces for characters that this one lacks, and those characters. */
  fallbacks: readonly Fallback[]
  /** @throws Undrawable if a glyph is missing */
  shape(piece: Piece): Shaped
  /** Width in em as fabric.js measures characters and pairs of them. */
  width(text: string): number
  /** y downwards, in em. */
  outline(glyph: number): Outline
  /** The rectangle around the outline; undefined if it is empty. */
  extent(glyph: number): Rectangle | undefined
  /** From the middle of the line to the baseline, in em, for text that is centered on a path. */
  middle: number
  /** How far an italic that is made from the upright font leans, for each em of height; its outlines lean already. */
  slant: number
  /** Width of the stroke that makes a text of this size bold; 0 if the font is as it should be. */
  bolder(size: number): number
  /** Styles that are made from the font's own: those that were asked for and that the font does not declare. */
  made: FontStyle
  /** Of a face whose glyphs have colors of their own: the marks of one, in em. */
  picture?(glyph: number): Mark | undefined
}

/** As Skia draws styles that a font lacks. */
const slant = 0.25

/** Small text is made relatively bolder. */
function bolderShare(size: number): number {
  const share = Math.min(Math.max((size - 9) / (36 - 9), 0), 1)
  return 1 / 24 + share * (1 / 32 - 1 / 24)
}

export interface FacedPiece extends Piece {
  face: Face
}

export interface Fallback {
  face: Face
  /** Clusters that were drawn with it. */
  used: Set<string>
}

/** Characters that browsers ignore if a font lacks them. */
const ignorable = /^[\p{Default_Ignorable_Code_Point}\p{Cc}]$/u

/** Never shown. Fonts draw it with the glyph of the hyphen, which fontkit would then hide, too. */
const softHyphen = '\u00ad'

/** @throws Undrawable if the font cannot be read, or has glyphs that are not plain outlines */
export function faceOf(names: FaceNames, file: Uint8Array): Face {
  return guarded(() => {
    const bytes = withSymbolCharacters(file)
    const font = opened(bytes)
    assertPlain(font)
    const faces = new Map<string, Face>()
    const at = (size: number): Face => {
      const instance = guarded(() => instanceOf(font, names.weight ?? 400, size))
      const face = faces.get(instance.key) ?? plainFace(instance, names, bytes)
      faces.set(instance.key, face)
      return face
    }
    const measured = at(measuredSize)
    if (!hasOpticalSizes(font)) return measured
    const bySize = new Map<number, Face>()
    const sized = (size: number): Face => {
      const face = bySize.get(size) ?? { ...at(size), measured }
      bySize.set(size, face)
      return face
    }
    return { ...measured, sized }
  })
}

/** Pixels at which fabric.js 5 measures characters (`CACHE_FONT_SIZE`). */
const measuredSize = 400

export interface FaceNames extends Partial<FontStyle> {
  key: string
  /** The family's name as in the design, for messages. */
  name: string
  /** Of a variable font; default 400. */
  weight?: number
  pieces?: Directions
  fallbacks?: readonly Face[]
}

function plainFace(
  { font, key: instanceKey, weight }: Instance,
  { key, name, bold: wantsBold = false, italic: wantsItalic = false, ...others }: FaceNames,
  bytes: Uint8Array,
): Face {
  const { pieces = oneDirection, fallbacks = [] } = others
  if (!isKernKept(bytes)) Reflect.deleteProperty(tablesOf(font), 'kern')
  const em = font.unitsPerEm
  if (!(em >= 16 && em <= 16_384)) throw unreadable()
  const limitLayout = limitRules(font)
  const declared = guarded(() => declaredStyle(font, weight))
  const [bold, italic] = [wantsBold && !declared.bold, wantsItalic && !declared.italic]
  const glyphs = new Set([0])
  const shaped = new Map<string, Shaped>()
  const outlines = new Map<number, Outline>()
  const extents = new Map<number, Rectangle>()

  function shape(piece: Piece): Shaped {
    const key = `${piece.isRightToLeft ? '<' : '>'}${piece.script ?? ''}>${piece.text}`
    const known = shaped.get(key)
    if (known) return known
    const result = guarded(() => shapeAnew(piece))
    shaped.set(key, result)
    return result
  }

  function shapeAnew({ text: word, isRightToLeft, script }: Piece): Shaped {
    const text = composed(
      [...word].filter((c) => c !== softHyphen && (!ignorable.test(c) || hasGlyph(c))).join(''),
      hasGlyph,
    )
    assertCovers(text)
    if (text === '') return { glyphs: [], width: 0 }
    limitLayout(text.length)
    const run = font.layout(text, undefined, script, undefined, isRightToLeft ? 'rtl' : 'ltr')
    const halved = hasHanPunctuation(text) ? hanSpacing(font, run.glyphs) : undefined
    let at = 0
    for (const { id } of run.glyphs) glyphs.add(id)
    const placed = run.glyphs.map((glyph, index): PlacedGlyph => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = { ...run.positions[index], ...halved?.get(index) }
      const x = (at + xOffset) / em
      at += xAdvance
      return { id: glyph.id, x, y: -yOffset / em, codePoints: glyph.codePoints }
    })
    return { glyphs: placed, width: at / em }
  }

  const missingIn = (text: string) =>
    [...new Set(composed(text, hasGlyph))].filter((c) => !hasGlyph(c) && !ignorable.test(c))

  function assertCovers(text: string): void {
    const missing = missingIn(text)
    if (missing.length === 0) return
    const named = missing.slice(0, 10).map(nameOf).join(', ')
    throw new Undrawable('glyph', `The font "${name}" has no glyph for ${named}.`)
  }

  const hasGlyph = (c: string) => font.hasGlyphForCodePoint(c.codePointAt(0) ?? 0)

  const covers = (text: string) => guarded(() => missingIn(text).length === 0)
  const face: Face = {
    key: key + instanceKey,
    name,
    postscriptName: postscriptNameOf(font),
    bytes,
    embedded: () => (instanceKey === '' ? bytes : guarded(() => staticFile(font, bytes, glyphs))),
    mayDiffer: instanceKey !== '' && hasVariableKerning(font),
    covers,
    fallbacks: fallbacks.map((face) => ({ face, used: new Set<string>() })),
    shape,
    width: (text) =>
      face.pieces(text).reduce((sum, piece) => sum + piece.face.shape(asMeasured(piece)).width, 0),
    pieces: (text) =>
      pieces(text).flatMap((piece) =>
        isOwn(piece.text, face) ? [{ ...piece, face }] : divided(piece, face),
      ),
    outline(id) {
      const known = outlines.get(id)
      if (known) return known
      const upright = guarded(() => outlineOf(font.getGlyph(id), 1 / em))
      const outline = italic ? transformed(upright, [1, 0, -slant, 1, 0, 0]) : upright
      outlines.set(id, outline)
      return outline
    },
    extent(id) {
      const outline = face.outline(id)
      if (outline.length === 0) return undefined
      const extent = extents.get(id) ?? extentOf(outline)
      extents.set(id, extent)
      return extent
    },
    middle: middleOf(font),
    slant: italic ? slant : 0,
    bolder: (size) => (bold ? size * bolderShare(size) : 0),
    made: { bold, italic },
  }
  return face
}

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** With the selector of emoji, a symbol is shown in color although the font has it. */
const isOwn = (text: string, { covers, fallbacks }: Face) =>
  covers(text) && !(text.includes('\ufe0f') && fallbacks.some(({ face }) => face.picture))

/** Each cluster in the first face that has all of it, neighbors in the same face together. */
function divided(piece: Piece, font: Face): FacedPiece[] {
  const parts: FacedPiece[] = []
  const segments = [...clusters.segment(piece.text)].map(({ segment }) => segment)
  // A word of Chinese characters is in one font if one has all of them.
  const han = segments.filter((segment) => /\p{sc=Han}/u.test(segment) && !isOwn(segment, font)).join('')
  const ofHan = han === '' ? undefined : font.fallbacks.find(({ face }) => face.covers(han))
  for (const segment of segments) {
    const first = ofHan?.face.covers(segment) && han.includes(segment) ? ofHan : undefined
    const other = isOwn(segment, font)
      ? undefined
      : (first ?? font.fallbacks.find(({ face }) => face.covers(segment)))
    other?.used.add(segment)
    const face = other?.face ?? font
    const last = parts.at(-1)
    if (last?.face === face) last.text += segment
    else parts.push({ ...piece, text: segment, face })
  }
  return piece.isRightToLeft ? parts.reverse() : parts
}

function opened(bytes: Uint8Array): Font {
  return guarded(() =>
    keptFont(bytes, (file) => {
      const font = create(file)
      if (!('layout' in font)) throw unreadable()
      return font
    }),
  )
}

const nameOf = (c: string) =>
  `U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}${/\p{L}|\p{N}|\p{P}|\p{S}/u.test(c) ? ` (${c})` : ''}`

const maxSegments = 20_000

function outlineOf(glyph: Glyph, unit: number): Outline {
  const outline: Segment[] = []
  let [x, y] = [0, 0]
  for (const { command, args } of glyph.path.commands) {
    if (outline.length > maxSegments) throw unreadable()
    const v = args.map((value: number, index: number) => value * (index % 2 === 0 ? unit : -unit))
    if (!v.every(Number.isFinite)) throw unreadable()
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = v
    if (command === 'moveTo') outline.push(['M', a, b])
    else if (command === 'lineTo') outline.push(['L', a, b])
    else if (command === 'bezierCurveTo') outline.push(['C', a, b, c, d, e, f])
    else if (command === 'quadraticCurveTo') {
      const near = (from: number, to: number) => from + (2 / 3) * (to - from)
      outline.push(['C', near(x, a), near(y, b), near(c, a), near(d, b), c, d])
    } else outline.push(['Z'])
    if (v.length >= 2) [x, y] = [v.at(-2) ?? 0, v.at(-1) ?? 0]
  }
  return outline
}
