import { type Drawing, drawingOf } from './drawing.ts'
import { NotVectors, sanitized } from './drawing-tree.ts'
import type { Face } from './face.ts'
import type { Mark } from './marks.ts'
import { Undrawable } from './refusal.ts'

/** Em of the square in which an emoji is drawn, of the room that it takes, and from the baseline up to its top: those of Noto. */
const [side, advance, top] = [1.17, 1.245, 0.93]
/** Different emoji of one design. */
const maxEmoji = 500
const maxBytes = 1024 * 1024

/** The bytes of a file of the collection. @throws if there is none */
type Read = (name: string) => Promise<Uint8Array>

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** What browsers show in color: emoji by nature, flags, digits in keycaps, and symbols with the selector for it. */
const isColored = /\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}|\u20e3/u

export const hasEmoji = (text: string) => isColored.test(text)

/** The emoji of a text, and the single characters of which they are made: fabric.js measures them apart. */
function emojiIn(text: string): string[] {
  const whole = [...clusters.segment(text)].map(({ segment }) => segment).filter(hasEmoji)
  return whole.flatMap((cluster) => [cluster, ...[...cluster].filter(hasEmoji)])
}

/** Names of the file of an emoji, without its extension, in the manner of each collection. */
function namesOf(emoji: string): string[] {
  const codes = [...emoji].map((c) => (c.codePointAt(0) ?? 0).toString(16))
  const plain = codes.filter((code) => code !== 'fe0f')
  const forms = [codes, plain].flatMap((each) => [
    each.join('-'),
    `emoji_u${each.map((code) => code.padStart(4, '0')).join('_')}`,
    each.map((code) => code.toUpperCase().padStart(4, '0')).join('-'),
  ])
  return [...new Set(forms)]
}

/** A face whose glyphs are the drawings of the emoji in these texts; undefined if there are none. */
export async function emojiFace(read: Read, texts: readonly string[]): Promise<Face | undefined> {
  const wanted = [...new Set(texts.flatMap(emojiIn))].slice(0, maxEmoji)
  const drawings = new Map<string, number>()
  const marks: Mark[] = []
  for (const emoji of wanted) {
    const mark = await drawn(read, emoji)
    if (!mark) continue
    drawings.set(emoji, marks.length)
    marks.push(mark)
  }
  return marks.length === 0 ? undefined : faceWith(drawings, marks)
}

async function drawn(read: Read, emoji: string): Promise<Mark | undefined> {
  for (const name of namesOf(emoji)) {
    const bytes = await read(`${name}.svg`).catch(() => undefined)
    if (!bytes || bytes.length > maxBytes) continue
    try {
      return squared(drawingOf(sanitized(bytes)))
    } catch (error) {
      // The next collection, or a font in one color.
      if (!(error instanceof NotVectors || error instanceof Undrawable)) throw error
    }
  }
  return undefined
}

/** In the square of an emoji, in em from its origin. */
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

function faceWith(drawings: ReadonlyMap<string, number>, marks: readonly Mark[]): Face {
  const partsOf = (text: string) => {
    const whole = [...clusters.segment(text)].map(({ segment }) => segment)
    return whole.map((cluster) => ({ cluster, id: drawings.get(cluster) }))
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
