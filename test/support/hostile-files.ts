// The hostile corpus: files of every kind that tries something, made by code, each with what must become of it.
import { hostileDocuments } from './hostile-documents.ts'
import { hostileFonts } from './hostile-fonts.ts'
import { hostilePictures } from './hostile-pictures.ts'
import { hostileDrawings } from './hostile-svg.ts'

export interface HostileFile {
  /** What it tries. */
  name: string
  /** The name under which it is uploaded. */
  upload: string
  bytes: Buffer
  /** `cleaned` is accepted with the tricks gone, `accepted` is accepted because it only looks hostile. */
  expected: 'refused' | 'cleaned' | 'accepted'
}

/** A mark that hostile pictures carry; it must not be in what is stored. */
export const canary = 'canary-evil'

export async function hostileFiles(): Promise<HostileFile[]> {
  return [...hostileDrawings(), ...(await hostilePictures()), ...hostileDocuments(), ...hostileFonts()]
}
