// The hostile corpus: generated files of every kind, each with the expected outcome.
import { hostileDocuments } from './hostile-documents.ts'
import { hostileFonts } from './hostile-fonts.ts'
import { hostilePictures } from './hostile-pictures.ts'
import { hostileDrawings } from './hostile-svg.ts'

export interface HostileFile {
  /** The attack. */
  name: string
  /** The name under which it is uploaded. */
  upload: string
  bytes: Buffer
  /** `cleaned` is accepted without the attack, `accepted` only looks hostile. */
  expected: 'refused' | 'cleaned' | 'accepted'
}

/** A marker in hostile pictures that must not be in the stored file. */
export const canary = 'canary-evil'

export async function hostileFiles(): Promise<HostileFile[]> {
  return [...hostileDrawings(), ...(await hostilePictures()), ...hostileDocuments(), ...hostileFonts()]
}
