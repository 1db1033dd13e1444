// Loads what the scenes need: faces of fonts, pictures, drawings. An unusable file fails when an element needs it.
import { readFile } from 'node:fs/promises'
import { FileRejected } from '../files/rejected.ts'
import { rewriteSvg } from '../files/svg/rewrite.ts'
import { decodeXml } from '../files/svg/xml-text.ts'
import { bothDirections, type Directions, isRightToLeft, oneDirection } from './directions.ts'
import { drawingOf } from './drawing.ts'
import { inPixels } from './drawing-picture.ts'
import { NotVectors } from './drawing-tree.ts'
import type { KeptPicture, Materials, Source } from './drawn-materials.ts'
import { readElement } from './element.ts'
import { type Face, faceOf } from './face.ts'
import { readPicture } from './picture.ts'
import { shown, Undrawable } from './refusal.ts'
import type { Scene } from './scene.ts'
import type { FontNeed, Gift, Gifts, Needs } from './task.ts'
import type { TextElement } from './text-element.ts'
import type { Bag } from './values.ts'

export interface Loaded extends Materials {
  faces: Map<string, Face>
  pictures: Map<string, KeptPicture>
  /** Bytes of the sources that were used, by their names. */
  originals: Map<string, Uint8Array>
}

/** Everything the scenes draw or clip with. */
export function needsOf(
  scenes: readonly Scene[],
  masks: readonly Bag[],
): Needs & { embedded: string[]; hasBothDirections: boolean; hasRareCharacters: boolean } {
  const fonts = new Map<string, FontNeed>()
  const pictures = new Set<string>()
  for (const { source } of masks) pictures.add(String(source))
  let hasBothDirections = false
  let hasRareCharacters = false
  for (const { elements, byTitle } of scenes) {
    const clipping = elements.flatMap(({ clip }) => {
      const stored = clip?.of === 'element' ? byTitle.get(clip.title) : undefined
      return stored ? readOrNone(stored) : []
    })
    for (const element of [...elements, ...clipping]) {
      if (element.kind === 'picture') pictures.add(element.source)
      else {
        if (element.pattern !== undefined) pictures.add(element.pattern)
        hasBothDirections ||= element.isBackward || isRightToLeft(element.text)
        hasRareCharacters ||= /[^\u0000-\u024f]/u.test(element.text)
        fonts.set(faceKey(element), { family: element.family, bold: element.bold, italic: element.italic })
      }
    }
  }
  const isEmbedded = (name: string) => /^data:/i.test(name)
  return {
    fonts: [...fonts.values()],
    pictures: [...pictures].filter((name) => !isEmbedded(name)),
    embedded: [...pictures].filter(isEmbedded),
    hasBothDirections,
    hasRareCharacters,
  }
}

function readOrNone(stored: Parameters<typeof readElement>[0]) {
  try {
    return [readElement(stored)]
  } catch {
    // The element that is clipped by it reports the cause.
    return []
  }
}

export const faceKey = ({ family, bold, italic }: FontNeed | TextElement) =>
  JSON.stringify([family, bold, italic])

export async function load(
  kit: typeof import('fontkit'),
  needs: ReturnType<typeof needsOf>,
  gifts: Gifts,
): Promise<Loaded> {
  const pieces = needs.hasBothDirections ? await bothDirections() : oneDirection
  const faces = new Map<string, Face | Undrawable>()
  const fallbacks = await fallbacksFor(kit, needs, gifts, pieces)
  for (const [index, need] of needs.fonts.entries()) {
    const key = faceKey(need)
    faces.set(
      key,
      await attempt(async () =>
        faceOf(
          kit,
          { key: `F${index + 1}`, name: need.family, pieces, fallbacks, ...gifts.fonts[index]?.synthetic },
          await bytesOf(gifts.fonts[index], 'font'),
        ),
      ),
    )
  }
  const sources = new Map<string, Source>()
  const originals = new Map<string, Uint8Array>()
  const names = [...needs.pictures, ...needs.embedded]
  for (const [index, name] of names.entries()) {
    const source = await attempt(async () => {
      const isGiven = index < needs.pictures.length
      const bytes = isGiven ? await bytesOf(gifts.pictures[index], 'picture') : embeddedBytes(name)
      originals.set(name, bytes)
      return sourceOf(bytes)
    })
    sources.set(name, source instanceof Undrawable ? { kind: 'unusable', cause: source } : source)
  }
  return gathered(faces, fallbacks, sources, originals)
}

/** Read only if a text has characters that not every font has. */
async function fallbacksFor(
  kit: typeof import('fontkit'),
  { hasRareCharacters }: ReturnType<typeof needsOf>,
  gifts: Gifts,
  pieces: Directions,
): Promise<Face[]> {
  if (!hasRareCharacters) return []
  const faces = gifts.fallbacks.map(({ family, path }, index) =>
    attempt(async () => faceOf(kit, { key: `E${index + 1}`, name: family, pieces }, await readFile(path))),
  )
  return (await Promise.all(faces)).flatMap((face) => (face instanceof Undrawable ? [] : [face]))
}

function gathered(
  faces: Map<string, Face | Undrawable>,
  fallbacks: readonly Face[],
  sources: Map<string, Source>,
  originals: Map<string, Uint8Array>,
): Loaded {
  const pictures = new Map<string, KeptPicture>()
  const keys = new Map<string, string>()
  return {
    faces: new Map(
      [...faces.values(), ...fallbacks].flatMap((face) =>
        face instanceof Undrawable ? [] : [[face.key, face]],
      ),
    ),
    pictures,
    originals,
    face(element) {
      const face = faces.get(faceKey(element))
      if (face === undefined || face instanceof Undrawable)
        throw face ?? new Undrawable('font', 'The font was not loaded.')
      return face
    },
    source: (name) =>
      sources.get(name) ?? {
        kind: 'unusable',
        cause: new Undrawable('picture', 'The picture was not loaded.'),
      },
    keep(picture) {
      const key = keys.get(picture.id) ?? `P${keys.size + 1}`
      keys.set(picture.id, key)
      pictures.set(key, picture)
      return key
    },
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T | Undrawable> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Undrawable) return error
    throw error
  }
}

async function bytesOf(gift: Gift | undefined, code: 'font' | 'picture'): Promise<Uint8Array> {
  if (!gift || 'cause' in gift) throw new Undrawable(code, gift?.cause ?? 'It was not loaded.')
  return readFile(gift.path)
}

function embeddedBytes(url: string): Uint8Array {
  const [, type = '', coding, data = ''] = /^data:([^,;]*)((?:;[^,;]*)*),(.*)$/is.exec(url) ?? []
  if (!/^image\//i.test(type))
    throw new Undrawable('picture', `The data of ${shown(url.slice(0, 40))} are not a picture.`)
  return /;\s*base64$/i.test(coding ?? '') ? Buffer.from(data, 'base64') : Buffer.from(decoded(data))
}

function decoded(data: string): string {
  try {
    return decodeURIComponent(data)
  } catch {
    throw new Undrawable('picture', 'The data of the picture are not readable.')
  }
}

async function sourceOf(bytes: Uint8Array): Promise<Source> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString(
    'latin1',
  )
  const isText =
    /^(?:\xef\xbb\xbf)?\s*</.test(start) || start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')
  if (!isText) return { kind: 'pixels', picture: await readPicture(bytes) }
  const { svg } = sanitized(bytes)
  try {
    return { kind: 'vectors', drawing: drawingOf(svg) }
  } catch (error) {
    if (!(error instanceof NotVectors)) throw error
    return { kind: 'drawing', ...inPixels(svg) }
  }
}

function sanitized(bytes: Uint8Array) {
  try {
    return rewriteSvg(decodeXml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
  } catch (error) {
    if (error instanceof FileRejected) throw new Undrawable('drawing', error.message)
    throw error
  }
}
