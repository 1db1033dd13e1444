// Makes a face of a font file, which is untrusted. loaded-faces.ts calls it for each font of a design, in the renderer's process.
import { create } from 'fontkit'
import { withSymbolCharacters } from '../files/font/symbols.ts'
import { composed } from './composed.ts'
import { asMeasured, type Directions, oneDirection, type Piece } from './directions.ts'
import type { Face, FacedPiece } from './face.ts'
import { cachedFont } from './font-cache.ts'
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
import { glyphOutline } from './glyph-outline.ts'
import { hanSpacing, hasHanPunctuation } from './han-spacing.ts'
import { isKernUsed } from './kern-table.ts'
import { cachedLayout, hasLatinRules, isCacheable, type Shaped } from './layout-cache.ts'
import type { PlacedGlyph } from './marks.ts'
import type { Rectangle } from './matrix.ts'
import { extentOf, type Outline, transformed } from './outline.ts'
import { Undrawable } from './refusal.ts'
import { assertLayout, noLayout } from './writings.ts'

/** The lean of an italic that Skia makes from an upright font, for each em of height. */
const slant = 0.25

/** The stroke by which Skia makes text bold, as a share of its size: small text is made relatively bolder. */
function bolderShare(size: number): number {
  const share = Math.min(Math.max((size - 9) / (36 - 9), 0), 1)
  return 1 / 24 + share * (1 / 32 - 1 / 24)
}

/** Characters that browsers ignore if a font lacks them. */
const ignorable = /^[\p{Default_Ignorable_Code_Point}\p{Cc}]$/u

/** Never shown. Fonts map it to the glyph of the hyphen, which fontkit would then hide, too. */
const softHyphen = '\u00ad'

/**
 * The face of a font file. A new one is made for each design: it collects the glyphs to embed, and the fallbacks that were used.
 * @throws Undrawable if the font cannot be read, or has colored glyphs
 */
export function faceOf(options: FaceOptions, file: Uint8Array): Face {
  return guarded(() => {
    const bytes = withSymbolCharacters(file)
    const { font, id } = opened(bytes)
    assertPlain(font)
    const faces = new Map<string, Face>()
    const faceAt = (size: number): Face => {
      const instance = guarded(() => instanceOf(font, options.weight ?? 400, size))
      const face = faces.get(instance.key) ?? faceOfInstance(instance, options, { bytes, id })
      faces.set(instance.key, face)
      return face
    }
    const measured = faceAt(measuredSize)
    if (!hasOpticalSizes(font)) return measured
    const bySize = new Map<number, Face>()
    const sized = (size: number): Face => {
      const face = bySize.get(size) ?? { ...faceAt(size), measured }
      bySize.set(size, face)
      return face
    }
    return { ...measured, sized }
  })
}

/** Pixels at which fabric.js 5 measures characters (`CACHE_FONT_SIZE`). */
const measuredSize = 400

/** How a face is made; `bold` and `italic` are made if the file does not declare them. */
export interface FaceOptions extends Partial<FontStyle> {
  /** The beginning of the key by which marks refer to it. */
  key: string
  /** The family's name as in the design, for messages. */
  name: string
  /** The weight of a variable font; default 400. */
  weight?: number
  /** Splits text into pieces; default for text from left to right only. */
  pieces?: Directions
  fallbacks?: readonly Face[]
}

/** The face of one instance of a font. It shapes each piece and reads each outline once. */
function faceOfInstance(
  { font, key: instanceKey, weight }: Instance,
  {
    key,
    name,
    bold: wantsBold = false,
    italic: wantsItalic = false,
    pieces = oneDirection,
    fallbacks = [],
  }: FaceOptions,
  { bytes, id }: { bytes: Uint8Array; id: string },
): Face {
  if (!isKernUsed(bytes)) delete tablesOf(font).kern
  const em = font.unitsPerEm
  if (!(em >= 16 && em <= 16_384)) throw unreadable()
  const limitLayout = limitRules(font)
  const cachesLayouts = guarded(() => hasLatinRules(font))
  const declared = guarded(() => declaredStyle(font, weight))
  const [bold, italic] = [wantsBold && !declared.bold, wantsItalic && !declared.italic]
  /** Ids of the glyphs that were shaped, which `embedded` contains; 0 is the glyph of missing characters. */
  const glyphs = new Set([0])
  const shaped = new Map<string, Shaped>()
  const outlines = new Map<number, Outline>()
  const extents = new Map<number, Rectangle>()

  function shape(piece: Piece): Shaped {
    const key = `${piece.isRightToLeft ? '<' : '>'}${piece.script ?? ''}>${piece.text}`
    const cached = shaped.get(key)
    if (cached) return cached
    const failed = () => noLayout(piece.text, name)
    const layOutPiece = () => guarded(() => layOut(piece), failed)
    const result =
      cachesLayouts && isCacheable(piece)
        ? cachedLayout(`${id}${instanceKey}${key}`, font, layOutPiece)
        : layOutPiece()
    for (const { id: glyph } of result.glyphs) glyphs.add(glyph)
    shaped.set(key, result)
    return result
  }

  function layOut({ text: word, isRightToLeft, script }: Piece): Shaped {
    const text = composed(
      [...word].filter((c) => c !== softHyphen && (!ignorable.test(c) || hasGlyph(c))).join(''),
      hasGlyph,
    )
    assertLayout(text, name)
    assertCovers(text)
    if (text === '') return { glyphs: [], width: 0 }
    limitLayout(text.length)
    const run = font.layout(text, undefined, script, undefined, isRightToLeft ? 'rtl' : 'ltr')
    const halved = hasHanPunctuation(text) ? hanSpacing(font, run.glyphs) : undefined
    /** Units of the font from the origin of the word. */
    let advance = 0
    const placed = run.glyphs.map((glyph, index): PlacedGlyph => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = { ...run.positions[index], ...halved?.get(index) }
      const x = (advance + xOffset) / em
      advance += xAdvance
      return { id: glyph.id, x, y: -yOffset / em, codePoints: glyph.codePoints }
    })
    return { glyphs: placed, width: advance / em }
  }

  /** The characters that the font lacks and that browsers do not ignore. */
  const missingIn = (text: string) =>
    [...new Set(composed(text, hasGlyph))].filter((c) => !hasGlyph(c) && !ignorable.test(c))

  function assertCovers(text: string): void {
    const missing = missingIn(text)
    if (missing.length === 0) return
    const names = missing.slice(0, 10).map(characterName).join(', ')
    throw new Undrawable('glyph', `The font "${name}" has no glyph for ${names}.`)
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
        drawsItself(piece.text, face) ? [{ ...piece, face }] : divided(piece, face),
      ),
    outline(id) {
      const cached = outlines.get(id)
      if (cached) return cached
      const upright = guarded(() => glyphOutline(font.getGlyph(id), 1 / em))
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

/** Whether the face draws the text itself. A symbol with the emoji selector is drawn in color although the font has it. */
const drawsItself = (text: string, { covers, fallbacks }: Face) =>
  covers(text) && !(text.includes('\ufe0f') && fallbacks.some(({ face }) => face.picture))

/** The parts of a piece that are drawn in different faces: each cluster in the first face that covers it. */
function divided(piece: Piece, font: Face): FacedPiece[] {
  const parts: FacedPiece[] = []
  const segments = [...clusters.segment(piece.text)].map(({ segment }) => segment)
  // Chinese characters of a word are drawn in one font if one has all of them.
  const han = segments
    .filter((segment) => /\p{sc=Han}/u.test(segment) && !drawsItself(segment, font))
    .join('')
  const hanFallback = han === '' ? undefined : font.fallbacks.find(({ face }) => face.covers(han))
  const fallbackFor = (segment: string) =>
    hanFallback?.face.covers(segment) && han.includes(segment)
      ? hanFallback
      : font.fallbacks.find(({ face }) => face.covers(segment))
  for (const segment of segments) {
    const fallback = drawsItself(segment, font) ? undefined : fallbackFor(segment)
    fallback?.used.add(segment)
    const face = fallback?.face ?? font
    const last = parts.at(-1)
    if (last?.face === face) last.text += segment
    else parts.push({ ...piece, text: segment, face })
  }
  return piece.isRightToLeft ? parts.reverse() : parts
}

/** The parsed font. @throws Undrawable if it cannot be read, or is a collection of fonts */
function opened(bytes: Uint8Array): ReturnType<typeof cachedFont> {
  return guarded(() =>
    cachedFont(bytes, (file) => {
      const font = create(file)
      if (!('layout' in font)) throw unreadable()
      return font
    }),
  )
}

/** A character as messages name it: `U+4E2D (中)`. */
const characterName = (c: string) =>
  `U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}${/\p{L}|\p{N}|\p{P}|\p{S}/u.test(c) ? ` (${c})` : ''}`
