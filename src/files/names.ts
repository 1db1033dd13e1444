// What survives of a client's names: the title of an asset, and the family, variant and file of a font.
import { FileRejected } from './rejected.ts'
import { extensionOf } from './sniff.ts'

export const fontVariants = ['bold', 'italic', 'bolditalic'] as const
export type FontVariant = (typeof fontVariants)[number]

export interface FontName {
  /** The family as it is shown, with blanks. */
  family: string
  /** Absent for the base file of the family. */
  variant: FontVariant | undefined
  /** The name of the file in the fonts folder. */
  file: string
}

const maxTitleLength = 255
const maxFamilyLength = 100
// File systems take 255 bytes for a name; the suffix and the extension need their share.
const maxFamilyBytes = 220

/** A client's file name as a title: no folders, no control or direction characters, at most 255 characters. */
export function titleOf(clientName: string): string {
  const base = clientName.split(/[/\\]/).at(-1) ?? ''
  const clean = base
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\ufffd]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return [...clean].slice(0, maxTitleLength).join('') || 'untitled'
}

/**
 * The family, variant and file name of an uploaded font. Both come from the `name` field where one is given, else from
 * the stem of the file; a name without a suffix takes the variant from the suffix of the file. Throws FileRejected for anything but `.ttf`
 * and for names that could not be told apart in the folder.
 */
export function fontName(clientName: string, nameField?: string): FontName {
  if (extensionOf(clientName) !== 'ttf') {
    throw new FileRejected('Only TrueType fonts (.ttf) can be uploaded.', 'svc_upload_type_not_allowed')
  }
  const base = clientName.split(/[/\\]/).at(-1) ?? ''
  const file = splitSuffix(base.slice(0, -'.ttf'.length))
  const name = splitSuffix(nameField?.trim() ?? '')
  const family = checkedFamily(name.stem || (name.variant ? '' : file.stem))
  const variant = name.variant ?? file.variant
  return { family, variant, file: fontFile(family, variant) }
}

/** The name of the file that holds a variant of the family, or its base file. */
export function fontFile(family: string, variant?: FontVariant): string {
  return `${family.replaceAll(' ', '_')}${variant ? `__${variant}` : ''}.ttf`
}

/** The family and variant that a file in the fonts folder stands for, whoever put it there. */
export function fontOfFile(file: string): { family: string; variant: FontVariant | undefined } | undefined {
  if (extensionOf(file) !== 'ttf' || file.startsWith('.')) return undefined
  const { stem, variant } = splitSuffix(file.slice(0, -'.ttf'.length))
  return { family: stem.replaceAll('_', ' '), variant }
}

/** Families with equal keys are one family. */
export function familyKey(family: string): string {
  return family.normalize('NFC').toLowerCase()
}

function splitSuffix(stem: string): { stem: string; variant: FontVariant | undefined } {
  const suffix = /__(bold|italic|bolditalic)$/i.exec(stem)
  const variant = fontVariants.find((each) => each === suffix?.[1]?.toLowerCase())
  return variant && suffix ? { stem: stem.slice(0, suffix.index), variant } : { stem, variant: undefined }
}

function checkedFamily(name: string): string {
  // Two blanks would become `__` in the file name, which marks a variant.
  if (/[ _]{2}/.test(name))
    throw new FileRejected('A font family name must not hold two blanks or "__" in a row.')
  const family = name.normalize('NFC').replaceAll('_', ' ')
  const fits = [...family].length <= maxFamilyLength && Buffer.byteLength(family) <= maxFamilyBytes
  if (!fits) throw new FileRejected(`A font family name has at most ${maxFamilyLength} characters.`)
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .-]*[\p{L}\p{M}\p{N}])?$/u.test(family)) {
    throw new FileRejected(
      'A font family name holds letters, digits, blanks, "-" and ".", and starts and ends with a letter or digit.',
    )
  }
  return family
}
