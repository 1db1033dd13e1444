// Reads the font files that a design needs and makes a face of each, with fallback faces of the same style. `attempt` and `bytesOf` serve
// picture files, too.
import { readFile } from 'node:fs/promises'
import type { Directions } from './directions.ts'
import type { Face } from './face.ts'
import { type FaceOptions, faceOf } from './font-face.ts'
import { faceKey } from './needs.ts'
import { quoted, Undrawable } from './refusal.ts'
import type { FallbackFile, FontNeed, FontUse, LoadedFile } from './task.ts'

/** All faces of a design. */
export interface LoadedFaces {
  /** The needed faces by `faceKey`, or why one cannot be used. */
  faces: Map<string, Face | Undrawable>
  /** The fallback faces that were made, in all needed styles, without that of emoji in color. */
  fallbackFaces: Face[]
  /** Sentences for the warnings. */
  notes: string[]
}

/** Makes the faces. @param files the files of the needs, in the same order */
export async function loadedFaces(
  needs: readonly FontNeed[],
  files: readonly (LoadedFile & FontUse)[],
  options: {
    /** How text is split into pieces. */
    pieces: Directions
    /** The face of emoji in color, if a text needs it; it is tried before all other fallbacks. */
    emojiFace: Face | undefined
    fallbacks: readonly FallbackFile[]
    /** All texts of the design. Fallbacks are read only if a text needs them. */
    texts: readonly string[]
  },
): Promise<LoadedFaces> {
  const { pieces, emojiFace } = options
  const fallbackFonts = await readFallbacks(options.fallbacks, options.texts.filter(isRare))
  const facesByStyle = new Map<string, Face[]>()
  const fallbacksIn = ({ bold, italic }: FontNeed): Face[] => {
    const style = `${bold ? 'b' : ''}${italic ? 'i' : ''}`
    const faces =
      facesByStyle.get(style) ??
      fallbackFonts.flatMap(({ key, name, bytes }) => {
        const face = faceOrCause({ key: key + style, name, bold, italic, pieces }, bytes)
        return face instanceof Undrawable ? [] : [face]
      })
    facesByStyle.set(style, faces)
    return emojiFace ? [emojiFace, ...faces] : faces
  }
  const faces = new Map<string, Face | Undrawable>()
  const notes = new Set<string>()
  for (const [index, need] of needs.entries()) {
    const { synthetic, lacking } = files[index] ?? {}
    const fallbacks = fallbacksIn(need)
    // A bold text in a bold file has the weight of the file; in another file the bold is made.
    const weight = need.bold && !synthetic?.bold ? 700 : 400
    const names = { key: `F${index + 1}`, name: need.family, weight, pieces, fallbacks, ...synthetic }
    const face = await attempt(async () => faceOf(names, await bytesOf(files[index], 'font')))
    faces.set(faceKey(need), face)
    if (face instanceof Undrawable) continue
    if (lacking !== undefined) notes.add(madeNote(lacking, face))
    if (face.mayDiffer) notes.add(variableNote(need.family))
  }
  return { faces, fallbackFaces: [...facesByStyle.values()].flat(), notes: [...notes] }
}

/** Whether a text has characters beyond Latin, which not every font has. */
const isRare = (text: string) => /[^\u0000-\u024f]/u.test(text)

/** A sentence about a style that is made. @param lacking its beginning, which names the missing variant */
const madeNote = (lacking: string, { made: { bold, italic } }: Face): string =>
  bold || italic
    ? `${lacking}, which is made from another as browsers do.`
    : `${lacking}; the file that is printed declares this style itself, and is not changed.`

const variableNote = (family: string): string =>
  `The font ${quoted(family)} is variable and printed at the weight and the optical size that browsers choose, its other axes at their defaults; distances between letters may differ slightly from the screen.`

/** The face of a fallback file, or why it cannot be used. */
function faceOrCause(names: FaceOptions, bytes: Uint8Array): Face | Undrawable {
  try {
    return faceOf(names, bytes)
  } catch (error) {
    if (error instanceof Undrawable) return error
    throw error
  }
}

/**
 * The fallbacks in the order in which they are tried. Korean fonts have some Chinese characters; if a text has Chinese characters
 * without Korean, Chinese fonts are tried first, so that no word mixes both.
 */
export function inOrder(
  fallbacks: readonly FallbackFile[],
  texts: readonly string[],
): readonly FallbackFile[] {
  const isChinese = (text: string) => /\p{sc=Han}/u.test(text) && !/\p{sc=Hang}/u.test(text)
  if (!texts.some(isChinese)) return fallbacks
  const isKorean = ({ writing }: FallbackFile) => writing?.test('가') ?? false
  return [...fallbacks.filter((file) => !isKorean(file)), ...fallbacks.filter(isKorean)]
}

/** Reads the fallback fonts whose writing occurs. @param rare texts with characters that not every font has */
const readFallbacks = (fallbacks: readonly FallbackFile[], rare: readonly string[]) =>
  Promise.all(
    inOrder(fallbacks, rare)
      .filter(({ writing = /./ }) => rare.some((text) => writing.test(text)))
      .map(async ({ family, path }, index) => ({
        key: `E${index + 1}`,
        name: family,
        bytes: await readFile(path),
      })),
  )

/** The result of the work, or the Undrawable that it throws; other errors are thrown. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | Undrawable> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Undrawable) return error
    throw error
  }
}

/** Reads a file that was loaded. @param code of the finding @throws Undrawable if it could not be loaded */
export async function bytesOf(
  loadedFile: LoadedFile | undefined,
  code: 'font' | 'picture',
): Promise<Uint8Array> {
  if (!loadedFile || 'cause' in loadedFile)
    throw new Undrawable(code, loadedFile?.cause ?? 'It was not loaded.')
  return readFile(loadedFile.path)
}
