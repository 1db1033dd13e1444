// Lists every file type that this API accepts or that a host may serve inline: its extensions, MIME type and first bytes.

/**
 * Where a type is accepted: as an asset, as a font, as a print file, or embedded in an SVG. `inline` is a type that
 * browsers may display from the uploads folder; they must save any other.
 */
type Use = 'asset' | 'font' | 'print' | 'embedded' | 'inline'

interface FileTypeEntry {
  /** Lower case, without the dot; stored files get the first one. */
  extensions: readonly [string, ...string[]]
  mimeType: string
  /** Latin-1 strings, one of which the file starts with; `.` stands for any byte. SVG has none: its root element decides. */
  signatures: readonly string[]
  uses: readonly Use[]
  /** A browser would run scripts in it: hosts that serve it inline must sandbox it. A test holds the example host to that. */
  scriptable?: true
}

/** The table of file types; in the order in which their signatures are tried. */
export const fileTypes = {
  png: {
    extensions: ['png'],
    mimeType: 'image/png',
    signatures: ['\x89PNG\r\n\x1a\n'],
    uses: ['asset', 'print', 'embedded', 'inline'],
  },
  jpeg: {
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    mimeType: 'image/jpeg',
    signatures: ['\xff\xd8\xff'],
    uses: ['asset', 'print', 'embedded', 'inline'],
  },
  svg: {
    extensions: ['svg'],
    mimeType: 'image/svg+xml',
    signatures: [],
    uses: ['asset', 'print', 'inline'],
    scriptable: true,
  },
  pdf: {
    extensions: ['pdf'],
    mimeType: 'application/pdf',
    signatures: ['%PDF-'],
    uses: ['asset', 'print', 'inline'],
    scriptable: true,
  },
  zip: {
    extensions: ['zip'],
    mimeType: 'application/zip',
    signatures: ['PK\x03\x04'],
    uses: ['print', 'inline'],
  },
  gif: {
    extensions: ['gif'],
    mimeType: 'image/gif',
    signatures: ['GIF8'],
    uses: ['embedded', 'inline'],
  },
  webp: {
    extensions: ['webp'],
    mimeType: 'image/webp',
    signatures: ['RIFF....WEBP'],
    uses: ['embedded', 'inline'],
  },
  ttf: {
    extensions: ['ttf'],
    mimeType: 'font/ttf',
    signatures: ['\x00\x01\x00\x00', 'true'],
    uses: ['font', 'inline'],
  },
} as const satisfies Record<string, FileTypeEntry>

type Types = typeof fileTypes
export type KnownType = keyof Types
/** The types that are accepted for a use. */
export type TypeFor<U extends Use> = {
  [Type in KnownType]: U extends Types[Type]['uses'][number] ? Type : never
}[KnownType]

/** The names of the types that are accepted for a use, in the order of the table. */
export function typesFor<U extends Use>(use: U): TypeFor<U>[] {
  const names = Object.keys(fileTypes) as KnownType[]
  return names.filter((name): name is TypeFor<U> => entry(name).uses.includes(use))
}

/** Whether the file's first bytes, read as Latin-1, are those of the type. */
export function hasSignature(start: string, type: KnownType): boolean {
  return entry(type).signatures.some((signature) =>
    [...signature].every((character, index) => character === '.' || character === start[index]),
  )
}

/** The type with an extension (lower case, without the dot) among those for a use; undefined if none has it. */
export function typeByExtension<U extends Use>(extension: string, use: U): TypeFor<U> | undefined {
  return typesFor(use).find((type) => entry(type).extensions.includes(extension))
}

const entry = (type: KnownType): FileTypeEntry => fileTypes[type]
