// Classifies the targets of links and file names in a PDF.

/** Schemes that open a page, a mail or a call. Any other one may start any program. */
const safeScheme = /^(?:https?|mailto|tel)$/i
/** Before the path of a relative link there is no colon. */
const schemeBefore = /^([^/?#\\]*):/
// At least two characters: a single letter is a drive.
const anyScheme = /^[a-z][a-z0-9+.-]{1,40}:/i

/** Browsers ignore whitespace and control characters in a URL; some viewers also what is invisible, or the width of letters. */
const compact = (target: string) => target.normalize('NFKC').replace(/[\p{White_Space}\p{Cc}\p{Cf}]/gu, '')

/** Whether a link may run something, or lead to a file. A relative link and one to another site are safe. */
export function isUnsafeLink(target: string): boolean {
  const link = compact(target)
  const scheme = schemeBefore.exec(link)?.[1]
  if (scheme !== undefined && !safeScheme.test(scheme)) return true
  // Two slashes start a scheme-relative URL, which is safe.
  return /^(?:\\[\\/]|\/\\)/.test(link)
}

/** Whether a file name refers to another machine: `\\server\x`, `//server/x`, or a URL. */
export function isNetworkPath(target: string): boolean {
  const path = compact(target)
  return anyScheme.test(path) || /^[\\/]{2}/.test(path)
}
