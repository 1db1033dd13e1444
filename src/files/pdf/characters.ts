// The kinds of characters of a PDF, by their codes. The format has fewer kinds of whitespace than a `\s`.

const SPACE = 1
const DELIMITER = 2
const DIGIT = 4
/** What numbers begin with, beside digits: signs and the decimal point. */
const SIGN = 8
const CONTROL = 16

const KINDS = new Uint8Array(256)
for (let code = 0; code < 0x20; code++) KINDS[code] = CONTROL
KINDS[0x7f] = CONTROL
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER
for (const char of '0123456789') KINDS[char.charCodeAt(0)] = DIGIT
for (const char of '+-.') KINDS[char.charCodeAt(0)] = SIGN

const is = (kinds: number) => (code: number) => ((KINDS[code] ?? 0) & kinds) !== 0

export const isSpace = is(SPACE)
export const isDigit = is(DIGIT)
export const isNumeric = is(DIGIT | SIGN)
/** Some programs take control characters for whitespace, others for parts of a word. */
export const isControl = is(CONTROL)
/** What ends a word; the end of the text does, too. */
export const isBreak = (code: number) => Number.isNaN(code) || is(SPACE | DELIMITER)(code)
export const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
export const isLineEnd = (code: number) => code === 0x0a || code === 0x0d
/** Of a hexadecimal string, which may hold whitespace. */
export const isHexadecimal = (code: number) =>
  isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66) || isSpace(code)
