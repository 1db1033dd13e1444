// Classifies the characters of a PDF by their codes. The format knows fewer whitespace characters than `\s`.

const spaceBit = 1
const delimiterBit = 2
const digitBit = 4
/** What numbers may contain besides digits: signs and the decimal point. */
const signBit = 8
const controlBit = 16

const kindByCode = new Uint8Array(256)
for (let code = 0; code < 0x20; code++) kindByCode[code] = controlBit
kindByCode[0x7f] = controlBit
for (const char of '\0\t\n\f\r ') kindByCode[char.charCodeAt(0)] = spaceBit
for (const char of '()<>[]{}/%') kindByCode[char.charCodeAt(0)] = delimiterBit
for (const char of '0123456789') kindByCode[char.charCodeAt(0)] = digitBit
for (const char of '+-.') kindByCode[char.charCodeAt(0)] = signBit

const is = (kinds: number) => (code: number) => ((kindByCode[code] ?? 0) & kinds) !== 0

export const isWhitespace = is(spaceBit)
export const isDigit = is(digitBit)
export const isNumeric = is(digitBit | signBit)
/** Some programs treat control characters as whitespace, others as part of a token. */
export const isControl = is(controlBit)
/** Whether the character ends a token, as the end of the file (NaN) does. */
export const endsToken = (code: number) => Number.isNaN(code) || is(spaceBit | delimiterBit)(code)
export const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
export const isLineEnd = (code: number) => code === 0x0a || code === 0x0d
/** Whether the character may occur in a hexadecimal string, which may contain whitespace. */
export const isHexadecimal = (code: number) =>
  isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66) || isWhitespace(code)
