// Text for a terminal. Rows hold whatever customers, plugins and importers wrote: sequences that move the cursor, write into the
// clipboard or rename the window, and marks that show a name backwards, must not reach it.

/** Characters that terminals act upon, or that change the order in which others are shown. */
const acting = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** One line, with such characters as escapes of JSON. */
export const plainLine = (line: string): string => line.replace(acting, escaped)

/** Several lines; JSON stays JSON. */
export const plainText = (text: string): string => text.split('\n').map(plainLine).join('\n')
