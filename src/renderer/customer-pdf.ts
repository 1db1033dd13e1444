// A PDF that a customer uploaded, as plain values: its objects and its pages with their boxes, within bounds. The file is checked
// as an upload is: without scripts, actions, attached files, external references or encryption.
import { optionalPackage } from '../core/installed.ts'
import { assertPassivePdf } from '../files/pdf/check.ts'
import { FileRejected } from '../files/rejected.ts'
import { common, type Rectangle } from './matrix.ts'
import type { PdfContext, PdfDictionary, PdfLibrary } from './pdf-library.ts'
import { missingPackages, pdfPackages } from './pdf-packages.ts'
import { Undrawable } from './refusal.ts'

/** A name without its slash, with its escapes decoded. */
export class Name {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export class Reference {
  /** Number and generation. */
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

export type Dict = ReadonlyMap<string, Value>

export class Stream {
  readonly dict: Dict
  /** As in the file, with its filters. */
  readonly bytes: Uint8Array

  constructor(dict: Dict, bytes: Uint8Array) {
    this.dict = dict
    this.bytes = bytes
  }
}

/** A string is its bytes. */
export type Value = null | boolean | number | Name | Uint8Array | Reference | readonly Value[] | Dict | Stream

export interface CustomerPdf {
  bytes: Uint8Array
  /** The object that a reference leads to; null if there is none. */
  resolve(value: Value | undefined): Exclude<Value, Reference>
  /** @throws Undrawable if the PDF has no such page */
  page(number: number): PdfPageObject
}

export interface PdfPageObject {
  file: CustomerPdf
  /** From 1. */
  number: number
  dict: Dict
  resources: Dict
  /** What is shown, in units of the page: the crop box within the media box. */
  box: Rectangle
  /** Degrees by which viewers turn it clockwise. */
  turn: 0 | 90 | 180 | 270
  /** Points of the upright page. */
  width: number
  height: number
}

export const isPdf = (bytes: Uint8Array) =>
  bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46 && bytes[4] === 0x2d

const maxBytes = 64 * 2 ** 20
/** Nodes of the page tree that are visited, and levels of it. */
const [maxNodes, maxLevels] = [20_000, 50]
/** Values of all objects that are read. */
const maxValues = 2_000_000
/** References that lead to references. */
const maxReferences = 16
/** Points of a side: 50 m. */
const maxSide = 141_800

/** @throws Undrawable with what is wrong with the file */
export async function openPdf(bytes: Uint8Array): Promise<CustomerPdf> {
  if (bytes.byteLength > maxBytes)
    throw new Undrawable('limit', `The PDF has more than ${maxBytes / 2 ** 20} MB.`)
  try {
    assertPassivePdf(bytes)
  } catch (error) {
    if (error instanceof FileRejected) throw new Undrawable('picture', error.message)
    throw error
  }
  const library = await optionalPackage<PdfLibrary>(pdfPackages[0]).catch(() => undefined)
  if (!library) throw missingPackages()
  const options = { updateMetadata: false, parseSpeed: Number.POSITIVE_INFINITY, preserveXFA: true }
  const document = await library.PDFDocument.load(bytes, options).catch(() => undefined)
  if (!document) throw new Undrawable('picture', 'The PDF is damaged.')
  return pdfOf(bytes, library, document.context)
}

function pdfOf(bytes: Uint8Array, library: PdfLibrary, context: PdfContext): CustomerPdf {
  const convert = converter(library)
  const objects = new Map<string, Value>()
  const lookUp = ({ key }: Reference): Value => {
    const known = objects.get(key)
    if (known !== undefined) return known
    const [number = 0, generation = 0] = key.split(' ').map(Number)
    const value = convert(context.lookup(library.PDFRef.of(number, generation)))
    objects.set(key, value)
    return value
  }
  const resolve = (value: Value | undefined): Exclude<Value, Reference> => {
    let found = value ?? null
    for (let i = 0; found instanceof Reference; i++) found = i < maxReferences ? lookUp(found) : null
    return found
  }
  const pages = new Map<number, PdfPageObject>()
  const file: CustomerPdf = {
    bytes,
    resolve,
    page(number) {
      const page = pages.get(number) ?? findPage(file, convert(context.trailerInfo.Root ?? undefined), number)
      pages.set(number, page)
      return page
    },
  }
  return file
}

/** Reads objects of the library as plain values. */
function converter(library: PdfLibrary): (object: unknown) => Value {
  const { PDFArray, PDFBool, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRawStream, PDFRef, PDFString } =
    library
  let left = maxValues
  const dictOf = (dict: PdfDictionary): Dict =>
    new Map(dict.entries().map(([key, value]) => [key.decodeText(), convert(value)]))
  const convert = (object: unknown): Value => {
    if (--left < 0) throw new Undrawable('limit', 'The PDF has too many objects.')
    if (object instanceof PDFName) return new Name(object.decodeText())
    if (object instanceof PDFNumber) return object.asNumber()
    if (object instanceof PDFRef) return new Reference(`${object.objectNumber} ${object.generationNumber}`)
    if (object instanceof PDFDict) return dictOf(object)
    if (object instanceof PDFArray) return object.asArray().map(convert)
    if (object instanceof PDFRawStream) return new Stream(dictOf(object.dict), object.getContents())
    if (object instanceof PDFString || object instanceof PDFHexString) return object.asBytes()
    return object instanceof PDFBool ? object.asBoolean() : null
  }
  return convert
}

export const isDict = (value: Value): value is Dict => value instanceof Map

/** What the page inherits from the nodes above it. */
const inherited = ['Resources', 'MediaBox', 'CropBox', 'Rotate']

function findPage(file: CustomerPdf, root: Value, wanted: number): PdfPageObject {
  const catalog = file.resolve(root)
  const top = isDict(catalog) ? catalog.get('Pages') : undefined
  const waiting = [{ node: top, attributes: new Map<string, Value>(), level: 0 }]
  const known = new Set<Value>()
  let count = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const node = file.resolve(next.node)
    if (!isDict(node) || known.has(node)) continue
    known.add(node)
    if (known.size > maxNodes || next.level > maxLevels)
      throw new Undrawable('limit', `The PDF has more than ${maxNodes} pages.`)
    const own = inherited.flatMap((key) => (node.has(key) ? [[key, node.get(key) ?? null] as const] : []))
    const attributes = new Map([...next.attributes, ...own])
    const kids = file.resolve(node.get('Kids'))
    if (Array.isArray(kids)) {
      if (kids.length > maxNodes) throw new Undrawable('limit', `The PDF has more than ${maxNodes} pages.`)
      for (const kid of kids.toReversed()) waiting.push({ node: kid, attributes, level: next.level + 1 })
    } else if (++count === wanted) return pageOf(file, node, attributes, wanted)
  }
  const pages = `${count} ${count === 1 ? 'page' : 'pages'}`
  throw new Undrawable('picture', `The PDF has ${pages}; the design shows page ${wanted}.`)
}

function pageOf(file: CustomerPdf, dict: Dict, attributes: Dict, number: number): PdfPageObject {
  const resources = file.resolve(attributes.get('Resources'))
  const media = boxOf(file, attributes.get('MediaBox')) ?? { x: 0, y: 0, width: 612, height: 792 }
  const crop = boxOf(file, attributes.get('CropBox'))
  const box = (crop && common(crop, media)) ?? media
  const rotate = file.resolve(attributes.get('Rotate'))
  const turn = (((typeof rotate === 'number' ? Math.round(rotate / 90) * 90 : 0) % 360) + 360) % 360
  const stored = file.resolve(dict.get('UserUnit'))
  const unit = typeof stored === 'number' && stored > 0 ? stored : 1
  const isTurned = turn === 90 || turn === 270
  const [width, height] = isTurned ? [box.height, box.width] : [box.width, box.height]
  const size = { width: width * unit, height: height * unit }
  if (!(Math.max(size.width, size.height) <= maxSide && Math.min(size.width, size.height) >= 1)) {
    const measures = `${Math.round(size.width)} × ${Math.round(size.height)} points`
    throw new Undrawable('limit', `The page of the PDF measures ${measures}; 1 to ${maxSide} can be drawn.`)
  }
  return {
    file,
    number,
    dict,
    resources: isDict(resources) ? resources : new Map(),
    box,
    turn: turn as PdfPageObject['turn'],
    ...size,
  }
}

/** Corners may be stored in any order. Undefined for a box without an area. */
function boxOf(file: CustomerPdf, value: Value | undefined): Rectangle | undefined {
  const array = file.resolve(value)
  const numbers = Array.isArray(array) ? array.map((each) => file.resolve(each)) : []
  const [a, b, c, d] = numbers.map((each) => (typeof each === 'number' ? each : Number.NaN))
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  const box = { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(a - c), height: Math.abs(b - d) }
  return box.width > 0 && box.height > 0 ? box : undefined
}
