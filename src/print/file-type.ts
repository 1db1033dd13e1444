// The type of a print file or picture, by its content, and the name under which a downloaded one is stored.
import { fileTypes, hasSignature, type TypeFor, typesFor } from '../files/file-types.ts'
import { sniff } from '../files/sniff.ts'

/** The type of a print-ready file, detected from its first bytes; undefined for other files. */
export function printTypeOf(head: Uint8Array): TypeFor<'print'> | undefined {
  const type = sniff(head)
  // A ZIP file without entries is recognized, too, but cannot be printed.
  const isEmpty = type === 'zip' && !hasSignature(Buffer.from(head.subarray(0, 8)).toString('latin1'), type)
  return typesFor('print').find((candidate) => candidate === type && !isEmpty)
}

/**
 * A file name from the last part of a URL: letters, digits, `-` and `_` with the extension of its true type, so
 * that neither a folder nor a program can be named.
 */
export function safeName(url: URL, type: TypeFor<'print'>): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  const stem = last.replace(/\.[A-Za-z0-9]{1,5}$/, '').replace(/%[0-9a-f]{2}/gi, '-')
  const clean = stem
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
  return `${clean || 'print'}.${fileTypes[type].extensions[0]}`
}
