// Detects the type of a file from its bytes, and whether it matches the extension of its name.

import {
  fileTypes,
  hasSignature,
  type KnownType,
  type TypeFor,
  typeByExtension,
  typesFor,
} from './file-types.ts'
import { FileRejected } from './rejected.ts'
import { findRoot } from './svg/root.ts'
import { decodeXml, isXmlText } from './svg/xml-text.ts'

type SniffedType = KnownType | (typeof otherSignatures)[number][0] | 'html' | 'php' | 'xml' | 'unknown'

/** Types that are recognized only to name them in error messages. `PK` also covers empty and split archives. */
const otherSignatures = [
  ['otf', 'OTTO'],
  ['ttc', 'ttcf'],
  ['woff', 'wOFF'],
  ['woff2', 'wOF2'],
  ['bmp', 'BM'],
  ['tiff', 'II*\x00'],
  ['tiff', 'MM\x00*'],
  ['zip', 'PK'],
  ['gzip', '\x1f\x8b'],
  ['rar', 'Rar!'],
  ['7z', '7z\xbc\xaf'],
  ['exe', 'MZ'],
  ['elf', '\x7fELF'],
  ['postscript', '%!PS'],
] as const

/** How many bytes are searched for a root element: comments in a prolog may be long, but not endless. */
export const sniffLength = 64 * 1024

/** The extension of a client's file name, in lower case and without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /\.([^./\\]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** The type that an asset's file name claims. Throws FileRejected for any other extension. */
export function assetTypeByName(name: string): TypeFor<'asset'> {
  const type = typeByExtension(extensionOf(name), 'asset')
  if (!type) throw notAllowed()
  return type
}

const notAllowed = () =>
  new FileRejected('Only PNG, JPEG, SVG and PDF files can be uploaded.', 'svc_upload_type_not_allowed')

/** The type of an upload without a name, by its content. Throws FileRejected unless it is an asset. */
export function assetTypeByContent(bytes: Uint8Array): TypeFor<'asset'> {
  const sniffed = sniff(bytes)
  const type = typesFor('asset').find((candidate) => candidate === sniffed)
  if (!type) throw notAllowed()
  return type
}

/** Detects the type of a file from its content; the first 64 KB are enough. */
export function sniff(bytes: Uint8Array): SniffedType {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sniffLength))
  const start = head.toString('latin1', 0, 16)
  const bySignature = (Object.keys(fileTypes) as KnownType[]).find((type) => hasSignature(start, type))
  return (
    bySignature ??
    otherSignatures.find(([, signature]) => start.startsWith(signature))?.[0] ??
    sniffMarkup(head)
  )
}

const otfAdvice = `Convert the OpenType font to TrueType: fontforge -lang=ff -c 'Open("Font.otf"); Generate("Font.ttf")'`

/** Throws FileRejected unless the file name is that of a TrueType font. */
export function assertFontName(name: string): void {
  const extension = extensionOf(name)
  if (typeByExtension(extension, 'font')) return
  const message = 'Only TrueType fonts (.ttf) can be uploaded.'
  throw new FileRejected(
    extension === 'otf' ? `${message} ${otfAdvice}` : message,
    'svc_upload_type_not_allowed',
  )
}

/** Throws FileRejected for a file whose content is of another type than its name claims. */
export function assertContentMatches(bytes: Uint8Array, claimed: TypeFor<'asset' | 'font'>): void {
  const sniffed = sniff(bytes)
  if (sniffed === claimed) return
  const content = sniffed === 'unknown' ? 'of another type' : sniffed.toUpperCase()
  const message = `The file name says ${claimed.toUpperCase()}, but the content is ${content}.`
  throw new FileRejected(sniffed === 'otf' ? `${message} ${otfAdvice}` : message, 'svc_upload_type_mismatch')
}

/** The type of a file without a signature: by its PHP opening tag or its root element. */
function sniffMarkup(head: Buffer): SniffedType {
  const text = isXmlText(head) ? decodeXml(head, { cut: true }) : head.toString('latin1')
  if (/^\s*<\?(php|=)/i.test(text)) return 'php'
  const root = findRoot(text)?.name
  if (root === undefined) return 'unknown'
  if (/^(?:[\w.-]+:)?svg$/.test(root)) return 'svg'
  return /^(?:!doctype|html|head|body|script|iframe|div|p|a|b|img)$/i.test(root) ? 'html' : 'xml'
}
