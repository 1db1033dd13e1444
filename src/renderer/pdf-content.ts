// Reads content streams of a PDF as operators (PDF 32000-1 §7.8.2), in linear time: each with the names and numbers before it.
import { type CustomerPdf, isDict, Name, type Stream, type Value } from './customer-pdf.ts'
import { filtered } from './pdf-filters.ts'

/** A name with its slash, a number, or `true` for anything else. */
type Operand = string | number | true

export interface Operator {
  name: string
  /** Those before it. */
  operands: readonly Operand[]
}

/** The most operands of one operator; further ones are left out. */
const maxOperands = 64

/** The decoded bytes of a content stream; undefined if its filters are not supported. @throws Undrawable if damaged or longer than `maxLength` */
export function contentOf(file: CustomerPdf, stream: Stream, maxLength: number): Buffer | undefined {
  const { names, parameters, isEarly } = filtersOf(file, stream)
  const isPredicted = parameters.some((dict) => (file.resolve(dict.get('Predictor')) ?? 1) !== 1)
  if (isPredicted) return undefined
  const { buffer, byteOffset, byteLength } = stream.bytes
  return filtered(Buffer.from(buffer, byteOffset, byteLength), names, { maxLength, isEarly })
}

/** Names of the filters of a stream in their order, and their parameters. `isEarly`: see `FilterOptions`. */
export function filtersOf(file: CustomerPdf, { dict }: Stream) {
  const listOf = (key: string) =>
    [file.resolve(dict.get(key))].flat().map((value) => file.resolve(value as Value))
  const names = listOf('Filter').flatMap((filter) => (filter instanceof Name ? [filter.text] : []))
  const parameters = listOf('DecodeParms').filter(isDict)
  const isEarly = parameters.every((dict) => (file.resolve(dict.get('EarlyChange')) ?? 1) === 1)
  return { names, parameters, isEarly }
}

/** The kind of each byte: 1 whitespace, 2 delimiter, 0 other. */
const kinds = new Uint8Array(256)
for (const code of [0, 9, 10, 12, 13, 32]) kinds[code] = 1
for (const character of '()<>[]{}/%') kinds[character.charCodeAt(0)] = 2

/** The operators of a decoded content stream, in their order. */
export function* operatorsIn(content: Buffer): Generator<Operator> {
  let position = 0
  let operands: Operand[] = []
  while (position < content.length) {
    if (kinds[content[position] ?? 0] === 1) {
      position++
      continue
    }
    const { end, operand, operator } = tokenAt(content, position)
    position = end
    if (operand !== undefined && operands.length < maxOperands) operands.push(operand)
    if (operator === undefined) continue
    yield { name: operator, operands }
    operands = []
    if (operator === 'ID') position = imageEnd(content, position)
  }
}

/** A token: an operand, an operator, or neither, such as a comment or a bracket. */
interface Token {
  /** The position after it. */
  end: number
  operand?: Operand
  operator?: string
}

/** The token that begins at a position. */
function tokenAt(content: Buffer, start: number): Token {
  const code = content[start] ?? 0
  if (code === 0x25) return { end: lineEnd(content, start) }
  if (code === 0x28) return { end: stringEnd(content, start), operand: true }
  if (code === 0x2f) {
    const end = wordEnd(content, start + 1)
    return { end, operand: `/${decoded(content.toString('latin1', start + 1, end))}` }
  }
  if (code === 0x3c && content[start + 1] !== 0x3c) return { end: hexEnd(content, start + 1), operand: true }
  if (kinds[code] === 2) return { end: start + 1 }
  const end = wordEnd(content, start)
  const word = content.toString('latin1', start, end)
  const number = Number(word)
  if (!Number.isNaN(number)) return { end, operand: number }
  if (word === 'true' || word === 'false' || word === 'null') return { end, operand: true }
  return { end, operator: word }
}

/** The end of a name, number or operator: the next whitespace or delimiter. */
function wordEnd(content: Buffer, start: number): number {
  let position = start
  while (position < content.length && kinds[content[position] ?? 0] === 0) position++
  return position
}

/** A name without its escapes, such as `#20` (PDF 32000-1 §7.3.5). */
const decoded = (name: string) =>
  name.replaceAll(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The end of a comment. */
function lineEnd(content: Buffer, start: number): number {
  let position = start
  while (position < content.length && content[position] !== 10 && content[position] !== 13) position++
  return position
}

/** The end of a string in parentheses, which may contain others. @param start of its first parenthesis */
function stringEnd(content: Buffer, start: number): number {
  let depth = 0
  for (let position = start; position < content.length; position++) {
    const code = content[position]
    if (code === 0x5c) position++
    else if (code === 0x28) depth++
    else if (code === 0x29 && --depth === 0) return position + 1
  }
  return content.length
}

/** The end of a hexadecimal string, after its `>`. */
function hexEnd(content: Buffer, start: number): number {
  const end = content.indexOf(0x3e, start)
  return end < 0 ? content.length : end + 1
}

/** The end of an inline image after its operator `EI`: the first `EI` that is a word of its own. @param start of the data */
function imageEnd(content: Buffer, start: number): number {
  let position = content.indexOf('EI', start + 1)
  while (position >= 0) {
    const isWord = kinds[content[position - 1] ?? 0] === 1 && (kinds[content[position + 2] ?? 32] ?? 0) > 0
    if (isWord) return position + 2
    position = content.indexOf('EI', position + 1)
  }
  return content.length
}
