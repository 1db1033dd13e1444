// Classifies the targets of links and file names in a PDF.

/** Schemes that make a viewer run something, or open a local file. */
const unsafeScheme =
  /^(?:javascript|vbscript|livescript|data|file|jar|res|shell|smb|search|ms-[a-z-]{1,40}|search-ms):/i
// At least two characters: a single letter is a drive.
const anyScheme = /^[a-z][a-z0-9+.-]{1,40}:/i

/** Browsers ignore whitespace and control characters in a URL; some viewers also what is invisible. */
const compact = (target: string) => target.replace(/[\p{White_Space}\p{Cc}\p{Cf}]/gu, '')

/** Whether a link runs something, or leads to a file. A relative link and one to another site are safe. */
export function isUnsafeLink(target: string): boolean {
  const link = compact(target)
  // Two slashes start a scheme-relative URL, which is safe.
  return unsafeScheme.test(link) || /^(?:\\[\\/]|\/\\)/.test(link)
}

/** Whether a file name refers to another machine: `\\server\x`, `//server/x`, or a URL. */
export function isNetworkPath(target: string): boolean {
  const path = compact(target)
  return anyScheme.test(path) || /^[\\/]{2}/.test(path)
}
