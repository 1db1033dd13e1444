// The family, variant and file name of a font: from the upload form, and from the names of stored files.
import { FileRejected } from '../rejected.ts'
import { assertFontName, extensionOf } from '../sniff.ts'

const fontVariants = ['bold', 'italic', 'bolditalic'] as const
/** A style of a family that has a file besides the base file. */
export type FontVariant = (typeof fontVariants)[number]

export interface FontName {
  /** The display name of the family, with spaces. */
  family: string
  /** Undefined for the base file of the family. */
  variant: FontVariant | undefined
  /** The file name in the fonts folder. */
  file: string
}

/**
 * Extensions of files that a server may run or a browser may render as a page. Some servers look at every extension of a name,
 * and would run `Foo.php.ttf`.
 */
const executableExtension = new RegExp(
  `\\.(?:${[
    'php\\d?|phps|phpt|pht|phtm|phtml|phar|hphp|inc',
    'cgi|fcgi|fcg|pl|pm|py[co]?|pyw|rbw?|rhtml|erb|lua|tcl|(?:ba|da|fi|[abckz])?sh|bat|cmd|exe|dll|ps1|vbs?|vbe|wsf?|wsh|jar|war',
    'aspx?|as[ach]x|asa|asmx|axd|cer|cdx|[cv][bs]html|jspx?|jspf|jsw|jsv|jhtml|cfml?|cfc|dbm|stm|shtml?',
    'x?html?|xht|mht|mhtml|ht[ac]|xml|xslt?|svgz?|[cm]?jsx?|swf|wasm|htaccess',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
)

const maxFamilyLength = 100
/** File systems allow 255 bytes per name; this leaves room for the suffix and the extension. */
const maxFamilyBytes = 220

/**
 * The family, variant and file name of an uploaded font. Family and variant come from the `name` field, or without one from the
 * stem of the file name; a `name` without a suffix takes the variant from the file name. Throws FileRejected for any other
 * extension than `.ttf`, and for names that would be ambiguous in the folder.
 */
export function fontName(clientName: string, nameField?: string): FontName {
  assertFontName(clientName)
  const base = clientName.split(/[/\\]/).at(-1) ?? ''
  const file = splitSuffix(base.slice(0, -'.ttf'.length))
  const name = splitSuffix(nameField?.trim() ?? '')
  const family = checkedFamily(name.stem || (name.variant ? '' : file.stem))
  const variant = name.variant ?? file.variant
  return { family, variant, file: fontFile(family, variant) }
}

/** The file name of a variant of the family; without a variant, that of its base file: `Open_Sans__bold.ttf`, `Open_Sans.ttf`. */
export function fontFile(family: string, variant?: FontVariant): string {
  return `${family.replaceAll(' ', '_')}${variant ? `__${variant}` : ''}.ttf`
}

/** The family and variant of any file in the fonts folder; undefined for a hidden file or one that is not a font. */
export function fontOfFile(file: string): { family: string; variant: FontVariant | undefined } | undefined {
  if (extensionOf(file) !== 'ttf' || file.startsWith('.')) return undefined
  const { stem, variant } = splitSuffix(file.slice(0, -'.ttf'.length))
  return { family: stem.replaceAll('_', ' '), variant }
}

/** A key for comparison: families with equal keys are the same family. */
export function familyKey(family: string): string {
  return family.normalize('NFC').toLowerCase()
}

/** Splits `Open Sans__bold` into the family and its variant. */
function splitSuffix(stem: string): { stem: string; variant: FontVariant | undefined } {
  const suffix = /__(bold|italic|bolditalic)$/i.exec(stem)
  const variant = fontVariants.find((variant) => variant === suffix?.[1]?.toLowerCase())
  return variant && suffix ? { stem: stem.slice(0, suffix.index), variant } : { stem, variant: undefined }
}

/** The family name in its stored form. @throws FileRejected if it is invalid */
function checkedFamily(name: string): string {
  // Two spaces would become `__` in the file name, which marks a variant.
  if (/[ _]{2}/.test(name))
    throw new FileRejected('A font family name must not contain two consecutive spaces or "__".')
  const family = name.normalize('NFC').replaceAll('_', ' ')
  const fits = [...family].length <= maxFamilyLength && Buffer.byteLength(family) <= maxFamilyBytes
  if (!fits) throw new FileRejected(`A font family name can have at most ${maxFamilyLength} characters.`)
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .-]*[\p{L}\p{M}\p{N}])?$/u.test(family)) {
    throw new FileRejected(
      'A font family name may contain letters, digits, spaces, "-" and ".", and must start and end with a letter or digit.',
    )
  }
  if (executableExtension.test(family.normalize('NFKC'))) {
    throw new FileRejected(
      'A font family name must not contain the extension of a program or a page, such as ".php".',
    )
  }
  return family
}
