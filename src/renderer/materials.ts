// Loads the fonts, pictures and drawings that a design needs. A file that cannot be used is an error only when an element asks for it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bothDirections, isRightToLeft, oneDirection } from './directions.ts'
import { withOutlines } from './drawing-picture.ts'
import { lettered } from './drawing-shapes.ts'
import { type DrawnText, needOfText, outlinedText } from './drawing-text.ts'
import type { KeptPicture, Materials, Source } from './drawn-materials.ts'
import { emojiFace, hasEmoji } from './emoji.ts'
import type { Face } from './face.ts'
import { attempt, loadedFaces } from './loaded-faces.ts'
import { faceKey, maxFonts, type SceneNeeds } from './needs.ts'
import { Undrawable } from './refusal.ts'
import { sourceBytes, sourceOf } from './source-files.ts'
import type { FontNeed, LoadedFonts, LoadedPictures, Needs } from './task.ts'

/** All loaded files, for elements and for the output. */
export interface Loaded extends Materials {
  /** Faces by their keys, as marks name them. */
  faces: Map<string, Face>
  /** Pictures by their keys, as marks name them: those that elements stored by `keep`. */
  pictures: Map<string, KeptPicture>
  /** The unchanged picture files by their URLs, or by the embedded pictures themselves. */
  originals: Map<string, Uint8Array>
  /** The fonts of texts in drawings, with their files in the same order. */
  drawnFonts: { needs: FontNeed[]; loadedFiles: LoadedFonts['fonts'] }
  /** Sentences about the fonts, for the warnings. */
  notes: string[]
}

/** Returns a function from the key of a mark's font to its face. */
export const faceByKey = (loaded: Loaded) => (key: string) => {
  const face = loaded.faces.get(key)
  if (!face) throw new Error('A mark refers to a font that was not loaded.')
  return face
}

const tooManyFonts = () => new Undrawable('limit', `The design has texts in more than ${maxFonts} fonts.`)

interface LoadOptions {
  /** Fetches the fonts of texts in drawings, which are known only when the drawings are read. */
  fetch: (needs: Needs) => Promise<LoadedFonts>
  /** The path of a profile for CMYK pictures without one. */
  cmykProfile: string | undefined
  /** Maximum pixels of one picture; undefined for the default. */
  maxPicturePixels: number | undefined
  isPreview: boolean
}

/**
 * Loads the files: reads the pictures, fetches the fonts of texts in drawings, makes all faces, and turns those texts into outlines.
 * @param files the needed fonts and pictures, which were fetched before
 */
export async function load(
  needs: SceneNeeds,
  files: LoadedFonts & { pictures: LoadedPictures },
  { fetch, cmykProfile, maxPicturePixels, isPreview }: LoadOptions,
): Promise<Loaded> {
  const profile = cmykProfile === undefined ? undefined : await readFile(cmykProfile)
  const sources = new Map<string, Source>()
  const originals = new Map<string, Uint8Array>()
  for (const name of needs.pictures) {
    const source = await attempt(async () => {
      const bytes = await sourceBytes(name, files.pictures)
      originals.set(name, bytes)
      const options = { cmykProfile: profile, maxPixels: maxPicturePixels, isPreview }
      return sourceOf(bytes, needs.pages.get(name) ?? [], options)
    })
    sources.set(name, source instanceof Undrawable ? { kind: 'unusable', cause: source } : source)
  }
  const drawnTexts = textsIn(sources)
  const drawnNeeds = new Map(drawnTexts.map(needOfText).map((need) => [faceKey(need), need]))
  const drawnFonts = [...drawnNeeds.values()].slice(0, maxFonts)
  const drawnFiles = drawnFonts.length > 0 ? (await fetch({ fonts: drawnFonts })).fonts : []
  const texts = [...needs.texts, ...drawnTexts.map(({ element }) => element.text)]
  const hasBothDirections = needs.isBackward || texts.some(isRightToLeft)
  const { faces, fallbackFaces, notes } = await loadedFaces(
    [...needs.fonts, ...drawnFonts],
    [...files.fonts, ...drawnFiles],
    {
      pieces: hasBothDirections ? await bothDirections() : oneDirection,
      emojiFace: await emojiInColor(files.emoji, texts.filter(hasEmoji)),
      fallbacks: files.fallbacks,
      texts,
    },
  )
  const byKey = facesByKey([...faces.values(), ...fallbackFaces])
  outlineTexts(sources, faces, byKey)
  return {
    ...materialsOf(faces, byKey, sources, originals),
    drawnFonts: { needs: drawnFonts, loadedFiles: drawnFiles },
    notes,
  }
}

/** The face of the emoji in texts; undefined without a folder of drawings, or without emoji. */
async function emojiInColor(folder: string | undefined, texts: readonly string[]): Promise<Face | undefined> {
  if (!folder || texts.length === 0) return undefined
  return emojiFace((name) => readFile(join(folder, name)), texts)
}

const textsIn = (sources: ReadonlyMap<string, Source>): DrawnText[] =>
  [...sources.values()].flatMap((source) => {
    const vectorTexts = source.kind === 'vectors' ? source.drawing.texts : []
    const texts = source.kind === 'drawing' ? (source.lettering?.texts ?? []) : vectorTexts
    return texts.flatMap(({ text }) => text ?? [])
  })

/** Turns the texts of drawings into outlines; a drawing whose text cannot be outlined becomes unusable. Changes `sources`. */
function outlineTexts(
  sources: Map<string, Source>,
  faces: ReadonlyMap<string, Face | Undrawable>,
  byKey: Map<string, Face>,
): void {
  const faceOf = (need: FontNeed, size: number) => {
    const face = faces.get(faceKey(need)) ?? tooManyFonts()
    if (face instanceof Undrawable)
      throw new Undrawable(face.code, `The font of a text in the drawing: ${face.message}`)
    return sizedFace(face, size, byKey)
  }
  for (const [name, source] of sources) {
    try {
      if (source.kind === 'vectors' && source.drawing.texts.length > 0)
        sources.set(name, { ...source, drawing: lettered(source.drawing, faceOf, byKey) })
      if (source.kind === 'drawing' && source.lettering) {
        const { svg, texts } = source.lettering
        const outlined = (text: DrawnText) =>
          outlinedText(text, faceOf(needOfText(text), text.element.size), byKey)
        sources.set(name, { kind: 'drawing', note: source.note, ...withOutlines(svg, texts, outlined) })
      }
    } catch (error) {
      if (!(error instanceof Undrawable)) throw error
      sources.set(name, { kind: 'unusable', cause: error })
    }
  }
}

/** The usable faces by their keys. */
const facesByKey = (faces: readonly (Face | Undrawable)[]): Map<string, Face> =>
  new Map(faces.flatMap((face) => (face instanceof Undrawable ? [] : [[face.key, face]])))

/** The face for a text of this size, which is added to `byKey`: its optical size may differ from that of the loaded face. */
function sizedFace(face: Face, size: number, byKey: Map<string, Face>): Face {
  const sized = face.sized?.(size) ?? face
  byKey.set(sized.key, sized)
  return sized
}

/** The loaded files for elements and the output. `faces` grows while elements request sizes, `pictures` while they keep pictures. */
function materialsOf(
  faces: ReadonlyMap<string, Face | Undrawable>,
  byKey: Map<string, Face>,
  sources: ReadonlyMap<string, Source>,
  originals: Map<string, Uint8Array>,
): Omit<Loaded, 'drawnFonts' | 'notes'> {
  const pictures = new Map<string, KeptPicture>()
  const keys = new Map<string, string>()
  return {
    faces: byKey,
    pictures,
    originals,
    face(need, size) {
      const face = faces.get(faceKey(need)) ?? tooManyFonts()
      if (face instanceof Undrawable) throw face
      return sizedFace(face, size, byKey)
    },
    source: (name) =>
      sources.get(name) ?? {
        kind: 'unusable',
        cause: new Undrawable('picture', 'The picture was not loaded.'),
      },
    keep(picture) {
      const key = keys.get(picture.id) ?? `P${keys.size + 1}`
      keys.set(picture.id, key)
      pictures.set(key, larger(pictures.get(key), picture))
      return key
    },
  }
}

/** The larger of two uses of the same picture, which decides how many pixels are needed. One without `stretch` needs all. */
function larger(existing: KeptPicture | undefined, picture: KeptPicture): KeptPicture {
  const stretchOf = ({ stretch = Number.POSITIVE_INFINITY }: KeptPicture) => stretch
  return existing && stretchOf(existing) >= stretchOf(picture) ? existing : picture
}
