// Faces of the fonts that a design needs, each with faces of the same style for the characters that it lacks.
import { readFile } from 'node:fs/promises'
import type { Directions } from './directions.ts'
import { type Face, faceOf } from './face.ts'
import { faceKey } from './needs.ts'
import { shown, Undrawable } from './refusal.ts'
import type { FallbackFile, FontNeed, FontUse, LoadedFile } from './task.ts'

export interface LoadedFaces {
  /** By `faceKey`. */
  faces: Map<string, Face | Undrawable>
  /** Faces for characters that those lack. */
  others: Face[]
  /** Sentences for the warnings. */
  notes: string[]
}

/** @param files in the order of the needs */
export async function loadedFaces(
  needs: readonly FontNeed[],
  files: readonly (LoadedFile & FontUse)[],
  how: {
    pieces: Directions
    /** Tried before all others, in each style: emoji in color. */
    first: Face | undefined
    fallbacks: readonly FallbackFile[]
    /** Everything that is written. */
    texts: readonly string[]
  },
): Promise<LoadedFaces> {
  const { pieces, first } = how
  const fallbackFonts = await readFallbacks(how.fallbacks, how.texts.filter(isRare))
  const styled = new Map<string, Face[]>()
  const fallbacksIn = ({ bold, italic }: FontNeed): Face[] => {
    const style = `${bold ? 'b' : ''}${italic ? 'i' : ''}`
    const known =
      styled.get(style) ??
      fallbackFonts.flatMap(({ key, name, bytes }) => {
        const face = faceOrCause({ key: key + style, name, bold, italic, pieces }, bytes)
        return face instanceof Undrawable ? [] : [face]
      })
    styled.set(style, known)
    return first ? [first, ...known] : known
  }
  const faces = new Map<string, Face | Undrawable>()
  const notes = new Set<string>()
  for (const [index, need] of needs.entries()) {
    const { synthetic, lacking } = files[index] ?? {}
    const fallbacks = fallbacksIn(need)
    // A bold text in a file of its own has its weight; in another file the bold is made.
    const weight = need.bold && !synthetic?.bold ? 700 : 400
    const names = { key: `F${index + 1}`, name: need.family, weight, pieces, fallbacks, ...synthetic }
    const bytes = await attempt(() => bytesOf(files[index], 'font'))
    const face = bytes instanceof Undrawable ? bytes : faceOrCause(names, bytes)
    faces.set(faceKey(need), face)
    if (face instanceof Undrawable) continue
    if (lacking !== undefined) notes.add(madeNote(lacking, face))
    if (face.mayDiffer) notes.add(variableNote(need.family))
  }
  return { faces, others: [...styled.values()].flat(), notes: [...notes] }
}

const isRare = (text: string) => /[^\u0000-\u024f]/u.test(text)

/** @param lacking says which variant the family has not */
const madeNote = (lacking: string, { made: { bold, italic } }: Face): string =>
  bold || italic
    ? `${lacking}, which is made from another as browsers do.`
    : `${lacking}; the file that is printed declares this style itself, and is not changed.`

const variableNote = (family: string): string =>
  `The font ${shown(family)} is variable and printed at the weight and the optical size that browsers choose, its other axes at their defaults; distances between letters may differ slightly from the screen.`

function faceOrCause(names: Parameters<typeof faceOf>[0], bytes: Uint8Array): Face | Undrawable {
  try {
    return faceOf(names, bytes)
  } catch (error) {
    if (error instanceof Undrawable) return error
    throw error
  }
}

/** Korean fonts have some Chinese characters: where Chinese stands by itself, its own font goes first, so that words do not mix both. */
export function inOrder(
  fallbacks: readonly FallbackFile[],
  texts: readonly string[],
): readonly FallbackFile[] {
  const isChinese = (text: string) => /\p{sc=Han}/u.test(text) && !/\p{sc=Hang}/u.test(text)
  if (!texts.some(isChinese)) return fallbacks
  const isKorean = ({ writing }: FallbackFile) => writing?.test('가') ?? false
  return [...fallbacks.filter((each) => !isKorean(each)), ...fallbacks.filter(isKorean)]
}

/** @param rare texts with characters that not every font has */
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

export async function attempt<T>(work: () => Promise<T>): Promise<T | Undrawable> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Undrawable) return error
    throw error
  }
}

export async function bytesOf(
  loadedFile: LoadedFile | undefined,
  code: 'font' | 'picture',
): Promise<Uint8Array> {
  if (!loadedFile || 'cause' in loadedFile)
    throw new Undrawable(code, loadedFile?.cause ?? 'It was not loaded.')
  return readFile(loadedFile.path)
}
