// Where the links and file names of a PDF lead.

/** Schemes that make a viewer run something, or open what lies on its own machine. */
const unsafeScheme =
  /^(?:javascript|vbscript|livescript|data|file|jar|res|shell|smb|search|ms-[a-z-]{1,40}|search-ms):/i
// Of two or more letters: one letter is a drive.
const anyScheme = /^[a-z][a-z0-9+.-]{1,40}:/i

/** Browsers pass over whitespace and control characters in an address. */
const compact = (text: string) => text.replace(/[^\x21-\u{10ffff}]/gu, '')

/** Whether a link runs something, or leads to a file. */
export function isUnsafeLink(text: string): boolean {
  const link = compact(text)
  // Two slashes are the other scheme-less form, of the site around.
  return unsafeScheme.test(link) || /^(?:\\[\\/]|\/\\)/.test(link)
}

/** Whether a file name means a file of another machine: `\\server\x`, `//server/x`, or an address. */
export function isNetworkPath(text: string): boolean {
  const path = compact(text)
  return anyScheme.test(path) || /^[\\/]{2}/.test(path)
}
