// Makes a face of the emoji in texts: its glyphs are SVG drawings of a collection such as Twemoji, in color. loaded-faces.ts puts it before
// all other fallback faces.
import { type Drawing, drawingOf } from './drawing.ts'
import { NotVectors, sanitized } from './drawing-tree.ts'
import type { Face } from './face.ts'
import type { Mark } from './marks.ts'
import { Undrawable } from './refusal.ts'

/** Metrics of Noto Color Emoji in em: the side of an emoji's square, its advance, and the height of the square's top above the baseline. */
const [side, advance, top] = [1.17, 1.245, 0.93]
/** Different emoji of one design. */
const maxEmoji = 500
/** Bytes of one drawing. */
const maxBytes = 1024 * 1024

/** Reads a file of the collection; rejects if there is none. */
type ReadFile = (name: string) => Promise<Uint8Array>

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** A character that browsers show in color: an emoji by nature, a flag, a digit in a keycap, a symbol with the emoji selector. */
const colored = /\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}|\u20e3/u

/** Whether the text has an emoji that browsers show in color. */
export const hasEmoji = (text: string) => colored.test(text)

/** The emoji of a text, and the single characters of which they consist, which fabric.js measures separately. */
function emojiIn(text: string): string[] {
  const emoji = [...clusters.segment(text)].map(({ segment }) => segment).filter(hasEmoji)
  return emoji.flatMap((cluster) => [cluster, ...[...cluster].filter(hasEmoji)])
}

/** Possible names of the file of an emoji, without its extension: as Twemoji, Noto Emoji and OpenMoji build them of its code points. */
function namesOf(emoji: string): string[] {
  const allCodes = [...emoji].map((c) => (c.codePointAt(0) ?? 0).toString(16))
  const withoutSelector = allCodes.filter((code) => code !== 'fe0f')
  const names = [allCodes, withoutSelector].flatMap((codes) => [
    codes.join('-'),
    `emoji_u${codes.map((code) => code.padStart(4, '0')).join('_')}`,
    codes.map((code) => code.toUpperCase().padStart(4, '0')).join('-'),
  ])
  return [...new Set(names)]
}

/** A face whose glyphs are the drawings of the emoji in these texts; undefined if no emoji has a drawing that can be drawn. */
export async function emojiFace(readFile: ReadFile, texts: readonly string[]): Promise<Face | undefined> {
  const distinctEmoji = [...new Set(texts.flatMap(emojiIn))].slice(0, maxEmoji)
  const drawings = new Map<string, number>()
  const marks: Mark[] = []
  for (const emoji of distinctEmoji) {
    const mark = await emojiMark(readFile, emoji)
    if (!mark) continue
    drawings.set(emoji, marks.length)
    marks.push(mark)
  }
  return marks.length === 0 ? undefined : faceWith(drawings, marks)
}

/** An emoji as a group in em; undefined if the collection has no drawing of it that can be drawn as vectors without text. */
async function emojiMark(readFile: ReadFile, emoji: string): Promise<Mark | undefined> {
  for (const name of namesOf(emoji)) {
    const bytes = await readFile(`${name}.svg`).catch(() => undefined)
    if (!bytes || bytes.length > maxBytes) continue
    try {
      return squared(drawingOf(sanitized(bytes)))
    } catch (error) {
      // Another name is tried, then a font with emoji in one color.
      if (!(error instanceof NotVectors || error instanceof Undrawable)) throw error
    }
  }
  return undefined
}

/** A drawing in the square of an emoji, in em from the origin of a glyph; undefined if it has no size or has text. */
function squared({ width, height, shapes, texts }: Drawing): Mark | undefined {
  const extent = Math.max(width, height)
  if (!(extent > 0) || texts.length > 0) return undefined
  const scale = side / extent
  const [x, y] = [(advance - width * scale) / 2, (side - height * scale) / 2 - top]
  const marks = shapes
    .filter(({ isHidden }) => !isHidden)
    .map(({ mark, matrix, clips, alpha }): Mark => {
      const placed: Mark = { kind: 'group', matrix, marks: [mark] }
      return clips.length > 0 || alpha < 1 ? { kind: 'group', clips, alpha, marks: [placed] } : placed
    })
  return { kind: 'group', matrix: [scale, 0, 0, scale, x, y], marks }
}

/** The face of the emoji, each in a square of one width. @param drawings the index in `marks` of each emoji, which is the id of its glyph */
function faceWith(drawings: ReadonlyMap<string, number>, marks: readonly Mark[]): Face {
  const partsOf = (text: string) => {
    const segments = [...clusters.segment(text)].map(({ segment }) => segment)
    return segments.map((cluster) => ({ cluster, id: drawings.get(cluster) }))
  }
  const face: Face = {
    key: 'emoji',
    name: 'emoji in color',
    postscriptName: '',
    bytes: new Uint8Array(),
    mayDiffer: false,
    embedded: () => face.bytes,
    covers: (text) => partsOf(text).every(({ id }) => id !== undefined),
    fallbacks: [],
    shape({ text }) {
      const glyphs = partsOf(text).flatMap(({ cluster, id }, index) =>
        id === undefined
          ? []
          : [{ id, x: index * advance, y: 0, codePoints: [...cluster].map((c) => c.codePointAt(0) ?? 0) }],
      )
      return { glyphs, width: glyphs.length * advance }
    },
    pieces: (text) => [{ text, isRightToLeft: false, face }],
    width: (text) => face.shape({ text, isRightToLeft: false }).width,
    outline: () => [],
    extent: () => undefined,
    middle: 0.25,
    slant: 0,
    bolder: () => 0,
    made: { bold: false, italic: false },
    picture: (id) => marks[id],
  }
  return face
}
