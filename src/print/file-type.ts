// The type of a print-ready file, detected from its first bytes.
import { fileTypes, hasSignature, type TypeFor, typesFor } from '../files/file-types.ts'

export type PrintType = TypeFor<'print'>

/** Bytes that are needed: the prolog of an SVG may be long. */
export const headLength = 64 * 1024

/** The type; undefined for everything that is not printed. */
export function printTypeOf(head: Uint8Array): PrintType | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, headLength))
  const start = bytes.toString('latin1', 0, 8)
  const known = typesFor('print').find((type) => hasSignature(start, type))
  return known ?? (hasSvgRoot(bytes.toString('utf8')) ? 'svg' : undefined)
}

/** Whitespace, an instruction, a comment or a document type before the root element. */
const prolog = /\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>/sy

function hasSvgRoot(text: string): boolean {
  prolog.lastIndex = text.startsWith('\ufeff') ? 1 : 0
  let at = prolog.lastIndex
  while (prolog.test(text)) at = prolog.lastIndex
  return /^<(?:[A-Za-z_][\w.-]*:)?svg[\s/>]/.test(text.slice(at, at + 100))
}

/**
 * A file name from the last part of a URL: letters, digits, `-` and `_` with the extension of its true type, so
 * that neither a folder nor a program can be named.
 */
export function safeName(url: URL, type: PrintType): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  const stem = last.replace(/\.[A-Za-z0-9]{1,5}$/, '').replace(/%[0-9a-f]{2}/gi, '-')
  const clean = stem
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
  return `${clean || 'print'}.${fileTypes[type].extensions[0]}`
}
