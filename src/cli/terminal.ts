// Escapes text for a terminal. Rows contain whatever customers, plugins and importers wrote: sequences that move the cursor, write
// into the clipboard or rename the window, and characters that show a name backwards, must not reach it.

/** Characters that terminals act upon, or that change the order in which other characters are shown. */
const activeCharacters = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** One line, with active characters and line breaks as escapes of JSON. */
export const plainLine = (line: string): string => line.replace(activeCharacters, escapeCharacter)

/** Several lines, each as `plainLine` returns it; JSON stays valid. */
export const plainText = (text: string): string => text.split('\n').map(plainLine).join('\n')
