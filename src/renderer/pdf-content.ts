// Content streams of a PDF as operators (PDF 32000-1 §7.8.2), in linear time: each with the names and numbers before it.
import { type CustomerPdf, isDict, Name, type Stream, type Value } from './customer-pdf.ts'
import { filtered } from './pdf-filters.ts'

/** An operator with the operands before it. */
export interface Operator {
  name: string
  /** Names with their slash, numbers, and `true` for anything else. */
  operands: readonly (string | number | true)[]
}

/** Operands of one operator that are looked at. */
const maxOperands = 64

/** The decoded bytes of a content stream; undefined if its filters are not known. @throws Undrawable */
export function contentOf(file: CustomerPdf, stream: Stream, maxLength: number): Buffer | undefined {
  const { names, parameters, isEarly } = filtersOf(file, stream)
  const isPredicted = parameters.some((each) => (file.resolve(each.get('Predictor')) ?? 1) !== 1)
  if (isPredicted) return undefined
  const { buffer, byteOffset, byteLength } = stream.bytes
  return filtered(Buffer.from(buffer, byteOffset, byteLength), names, { maxLength, isEarly })
}

/** Names of the filters of a stream in their order, and their parameters. */
export function filtersOf(file: CustomerPdf, { dict }: Stream) {
  const listOf = (key: string) =>
    [file.resolve(dict.get(key))].flat().map((each) => file.resolve(each as Value))
  const names = listOf('Filter').flatMap((each) => (each instanceof Name ? [each.text] : []))
  const parameters = listOf('DecodeParms').filter(isDict)
  const isEarly = parameters.every((each) => (file.resolve(each.get('EarlyChange')) ?? 1) === 1)
  return { names, parameters, isEarly }
}

/** 1: whitespace, 2: delimiter. */
const kinds = new Uint8Array(256)
for (const code of [0, 9, 10, 12, 13, 32]) kinds[code] = 1
for (const character of '()<>[]{}/%') kinds[character.charCodeAt(0)] = 2

/** The operators of a decoded content stream, in their order. */
export function* operatorsIn(content: Buffer): Generator<Operator> {
  let at = 0
  let operands: (string | number | true)[] = []
  const add = (operand: string | number | true) => {
    if (operands.length < maxOperands) operands.push(operand)
  }
  const run = (): string => {
    const from = at
    while (at < content.length && kinds[content[at] ?? 0] === 0) at++
    return content.toString('latin1', from, at)
  }
  while (at < content.length) {
    const code = content[at] ?? 0
    if (kinds[code] === 1) at++
    else if (code === 0x25) at = lineEnd(content, at)
    else if (code === 0x28) {
      at = stringEnd(content, at)
      add(true)
    } else if (code === 0x2f) {
      at++
      add(`/${decoded(run())}`)
    } else if (kinds[code] === 2) {
      at++
      if (code === 0x3c && content[at] !== 0x3c) {
        at = hexEnd(content, at)
        add(true)
      }
    } else {
      const word = run()
      const number = Number(word)
      if (!Number.isNaN(number)) add(number)
      else if (word === 'true' || word === 'false' || word === 'null') add(true)
      else {
        yield { name: word, operands }
        operands = []
        if (word === 'ID') at = imageEnd(content, at)
      }
    }
  }
}

const decoded = (name: string) =>
  name.replaceAll(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function lineEnd(content: Buffer, from: number): number {
  let at = from
  while (at < content.length && content[at] !== 10 && content[at] !== 13) at++
  return at
}

function stringEnd(content: Buffer, from: number): number {
  let open = 0
  for (let at = from; at < content.length; at++) {
    const code = content[at]
    if (code === 0x5c) at++
    else if (code === 0x28) open++
    else if (code === 0x29 && --open === 0) return at + 1
  }
  return content.length
}

function hexEnd(content: Buffer, from: number): number {
  const end = content.indexOf(0x3e, from)
  return end < 0 ? content.length : end + 1
}

/** The end of the data of an inline image: `EI` as a word of its own. */
function imageEnd(content: Buffer, from: number): number {
  for (let at = content.indexOf('EI', from + 1); at >= 0; at = content.indexOf('EI', at + 1)) {
    const isWord = kinds[content[at - 1] ?? 0] === 1 && (kinds[content[at + 2] ?? 32] ?? 0) > 0
    if (isWord) return at + 2
  }
  return content.length
}
