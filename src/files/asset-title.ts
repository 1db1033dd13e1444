// The title of an uploaded asset, from the client's file name.

const maxTitleLength = 255

/** The last part of the path, without control, bidirectional and unassigned characters; `untitled` if nothing remains. */
export function assetTitle(clientName: string): string {
  const base = clientName.split(/[/\\]/).at(-1) ?? ''
  const clean = base
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\ufffd]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return [...clean].slice(0, maxTitleLength).join('') || 'untitled'
}
