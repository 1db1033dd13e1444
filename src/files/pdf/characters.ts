// Classifies the characters of a PDF by their codes (PDF 32000-1 §7.2.2). PDF has fewer whitespace characters than `\s`.

const spaceBit = 1
const delimiterBit = 2
const digitBit = 4
/** A sign or the decimal point of a number. */
const signBit = 8
const controlBit = 16

const kindByCode = new Uint8Array(256)
for (let code = 0; code < 0x20; code++) kindByCode[code] = controlBit
kindByCode[0x7f] = controlBit
for (const char of '\0\t\n\f\r ') kindByCode[char.charCodeAt(0)] = spaceBit
for (const char of '()<>[]{}/%') kindByCode[char.charCodeAt(0)] = delimiterBit
for (const char of '0123456789') kindByCode[char.charCodeAt(0)] = digitBit
for (const char of '+-.') kindByCode[char.charCodeAt(0)] = signBit

/** A test whether the code of a character is of one of the kinds; false for NaN, the code beyond the end of a text. */
const isOfKind = (kinds: number) => (code: number) => ((kindByCode[code] ?? 0) & kinds) !== 0

/** Whether the character separates tokens: NUL, tab, line feed, form feed, carriage return or space. */
export const isWhitespace = isOfKind(spaceBit)
/** Whether the character is one of 0 to 9. */
export const isDigit = isOfKind(digitBit)
/** Whether a number may contain the character: a digit, a sign or the decimal point. */
export const isNumeric = isOfKind(digitBit | signBit)
/** Whether it is a control character that PDF does not define: some programs read it as whitespace, others as part of a token. */
export const isControl = isOfKind(controlBit)
const isSeparator = isOfKind(spaceBit | delimiterBit)
/** Whether the character ends a token, as the end of the file (NaN) does. */
export const endsToken = (code: number) => Number.isNaN(code) || isSeparator(code)
/** Whether the character is one of a to z or A to Z. */
export const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
/** Whether the character is a line feed or a carriage return. */
export const isLineEnd = (code: number) => code === 0x0a || code === 0x0d
/** Whether the character may occur in a hexadecimal string, which may contain whitespace. */
export const isHexadecimal = (code: number) =>
  isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66) || isWhitespace(code)
