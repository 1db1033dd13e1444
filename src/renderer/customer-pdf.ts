// Opens a PDF that a customer uploaded and returns its objects and pages as plain values, within bounds. The file is checked as an
// upload is: it has no scripts, actions, attached files, external references or encryption.
import { optionalPackage } from '../core/installed.ts'
import { assertPassivePdf } from '../files/pdf/check.ts'
import { FileRejected } from '../files/rejected.ts'
import { intersection, type Rectangle } from './matrix.ts'
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

/** A reference to an object. */
export class Reference {
  /** Number and generation of the object, such as `12 0`. */
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

/** A dictionary: values by key, without the slash. */
export type Dict = ReadonlyMap<string, Value>

/** A stream with its dictionary. */
export class Stream {
  readonly dict: Dict
  /** The data as in the file, encoded by its filters. */
  readonly bytes: Uint8Array

  constructor(dict: Dict, bytes: Uint8Array) {
    this.dict = dict
    this.bytes = bytes
  }
}

/** Any value of the file; a string is its bytes. */
export type Value = null | boolean | number | Name | Uint8Array | Reference | readonly Value[] | Dict | Stream

/** An opened file. */
export interface CustomerPdf {
  /** The file as it was uploaded. */
  bytes: Uint8Array
  /** The value itself, or the object that a reference leads to; null if there is none, or after too many references. */
  resolve(value: Value | undefined): Exclude<Value, Reference>
  /** @param number from 1 @throws Undrawable if the PDF has no such page */
  page(number: number): PdfPageObject
}

/** A page of an opened file (PDF 32000-1 §7.7.3.3). */
export interface PdfPageObject {
  file: CustomerPdf
  /** From 1. */
  number: number
  dict: Dict
  resources: Dict
  /** The part that viewers show, in units of the page: the crop box within the media box. */
  box: Rectangle
  /** Degrees by which viewers turn the page clockwise. */
  turn: 0 | 90 | 180 | 270
  /** Points of the upright page. */
  width: number
  height: number
}

/** Whether a file starts with `%PDF-`. */
export const isPdf = (bytes: Uint8Array) =>
  bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46 && bytes[4] === 0x2d

const maxBytes = 64 * 2 ** 20
/** Nodes of the page tree to visit, and its levels. */
const [maxNodes, maxLevels] = [20_000, 50]
/** Values of all objects to read. */
const maxValues = 2_000_000
/** References to follow one after the other. */
const maxReferences = 16
/** Points of a side of a page: 50 m. */
const maxSide = 141_800

/** Checks and parses a file. @throws Undrawable with what is wrong with it, or if an optional package is missing */
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
    const cached = objects.get(key)
    if (cached !== undefined) return cached
    const [number = 0, generation = 0] = key.split(' ').map(Number)
    const value = convert(context.lookup(library.PDFRef.of(number, generation)))
    objects.set(key, value)
    return value
  }
  const resolve = (value: Value | undefined): Exclude<Value, Reference> => {
    let resolved = value ?? null
    for (let i = 0; resolved instanceof Reference; i++) resolved = i < maxReferences ? lookUp(resolved) : null
    return resolved
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

/** Returns a function from objects of pdf-lib to plain values. It throws Undrawable once a file has had too many of them. */
function converter(library: PdfLibrary): (object: unknown) => Value {
  const { PDFArray, PDFBool, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRawStream, PDFRef, PDFString } =
    library
  let remaining = maxValues
  const dictOf = (dict: PdfDictionary): Dict =>
    new Map(dict.entries().map(([key, value]) => [key.decodeText(), convert(value)]))
  const convert = (object: unknown): Value => {
    if (--remaining < 0) throw new Undrawable('limit', 'The PDF has too many objects.')
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

/** Whether a resolved value is a dictionary. */
export const isDict = (value: Value): value is Dict => value instanceof Map

/** Attributes that a page inherits from the nodes above it (PDF 32000-1 §7.7.3.4). */
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate']

/** Walks the page tree in the order of the pages, with a stack, until it has counted to the page. @throws Undrawable if there is none */
function findPage(file: CustomerPdf, root: Value, number: number): PdfPageObject {
  const catalog = file.resolve(root)
  const top = isDict(catalog) ? catalog.get('Pages') : undefined
  const stack = [{ node: top, attributes: new Map<string, Value>(), level: 0 }]
  const visited = new Set<Value>()
  let count = 0
  for (let next = stack.pop(); next; next = stack.pop()) {
    const node = file.resolve(next.node)
    if (!isDict(node) || visited.has(node)) continue
    visited.add(node)
    if (visited.size > maxNodes || next.level > maxLevels)
      throw new Undrawable('limit', `The PDF has more than ${maxNodes} pages.`)
    const stated = inheritable.flatMap((key) =>
      node.has(key) ? [[key, node.get(key) ?? null] as const] : [],
    )
    const attributes = new Map([...next.attributes, ...stated])
    const kids = file.resolve(node.get('Kids'))
    if (Array.isArray(kids)) {
      if (kids.length > maxNodes) throw new Undrawable('limit', `The PDF has more than ${maxNodes} pages.`)
      for (const kid of kids.toReversed()) stack.push({ node: kid, attributes, level: next.level + 1 })
    } else if (++count === number) return pageOf(file, node, attributes, number)
  }
  const pages = `${count} ${count === 1 ? 'page' : 'pages'}`
  throw new Undrawable('picture', `The PDF has ${pages}; the design shows page ${number}.`)
}

/** The page of a dictionary. @param attributes stated and inherited ones @throws Undrawable if it is too small or too large */
function pageOf(file: CustomerPdf, dict: Dict, attributes: Dict, number: number): PdfPageObject {
  const resources = file.resolve(attributes.get('Resources'))
  const media = boxOf(file, attributes.get('MediaBox')) ?? { x: 0, y: 0, width: 612, height: 792 }
  const crop = boxOf(file, attributes.get('CropBox'))
  const box = (crop && intersection(crop, media)) ?? media
  const rotate = file.resolve(attributes.get('Rotate'))
  const turn = (((typeof rotate === 'number' ? Math.round(rotate / 90) * 90 : 0) % 360) + 360) % 360
  const userUnit = file.resolve(dict.get('UserUnit'))
  const unit = typeof userUnit === 'number' && userUnit > 0 ? userUnit : 1
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
    // A multiple of 90 from 0 to 270.
    turn: turn as PdfPageObject['turn'],
    ...size,
  }
}

/** The rectangle between two stored corners, in any order (PDF 32000-1 §7.9.5); undefined for a box without an area. */
function boxOf(file: CustomerPdf, value: Value | undefined): Rectangle | undefined {
  const array = file.resolve(value)
  const numbers = Array.isArray(array) ? array.map((item) => file.resolve(item)) : []
  const [a, b, c, d] = numbers.map((item) => (typeof item === 'number' ? item : Number.NaN))
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  const box = { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(a - c), height: Math.abs(b - d) }
  return box.width > 0 && box.height > 0 ? box : undefined
}
