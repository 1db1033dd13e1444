// Copies a page of a customer's PDF into the print file as a form (PDF 32000-1 §8.10): its content, fonts and colors unchanged. Only
// entries that matter for painting are copied; actions, annotations, links, attached files and metadata are not.
import { deflateSync } from 'node:zlib'
import {
  type CustomerPdf,
  type Dict,
  isDict,
  Name,
  type PdfPageObject,
  Reference,
  Stream,
  type Value,
} from './customer-pdf.ts'
import { type Matrix, multiply } from './matrix.ts'
import { decimal } from './outline.ts'
import { filtersOf } from './pdf-content.ts'
import { added, type Document, escapedName, type PdfObject } from './pdf-document.ts'
import { filtered } from './pdf-filters.ts'
import { streamsOf } from './pdf-page-parts.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import { Undrawable } from './refusal.ts'

const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')))

/** Keys of entries that are copied: those by which a page paints (PDF 32000-1, chapters 7.4, 7.10, 8, 9 and 11). */
const copiedKeys = setOf(
  'Type Subtype Resources Filter DecodeParms',
  // Filters.
  'Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1',
  'DamagedRowsBeforeError JBIG2Globals ColorTransform',
  // Forms, groups and pictures.
  'FormType BBox Matrix Group S CS I Width Height ColorSpace Intent ImageMask Mask Decode Interpolate SMask SMaskInData Matte',
  // Fonts.
  'BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode DescendantFonts CIDSystemInfo Registry Ordering Supplement',
  'DW W DW2 W2 CIDToGIDMap FontMatrix FontBBox CharProcs Differences BaseEncoding CMapName UseCMap WMode Name FontName FontFamily',
  'FontStretch FontWeight Flags ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth',
  'FontFile FontFile2 FontFile3 CharSet CIDSet Length1 Length2 Length3',
  // Graphics states and soft masks.
  'LW LC LJ ML D RI OP op OPM Font FL SM SA BM CA ca AIS TK G BC',
  // Colors, patterns, shadings, functions.
  'N Alternate Range WhitePoint BlackPoint Gamma Colorants Process Components MixingHints Solidities DotGain PrintingOrder',
  'PatternType PaintType TilingType XStep YStep Shading ExtGState Pattern XObject ShadingType Background AntiAlias Coords Domain',
  'Function Extend BitsPerCoordinate BitsPerFlag VerticesPerRow FunctionType Size BitsPerSample Order Encode C0 C1 Functions Bounds',
)
/** Keys whose values are dictionaries with names of the file as keys, such as `/Font << /F1 … >>`. All their entries are copied. */
const nameDictionaries = setOf('Font XObject ExtGState ColorSpace Pattern Shading CharProcs Colorants')
const maxObjects = 50_000

/**
 * Adds a page to the document as a form, which shows it upright in points, from its lower left corner.
 * @throws Undrawable if the page consists of too many objects
 */
export function pdfForm(doc: Document, { page, traits }: PrintedPdf): PdfObject {
  const { file, dict, resources, box } = page
  const copy = copier(doc, page)
  const group = file.resolve(dict.get('Group'))
  const pageGroup = isDict(group) ? copy.dict(group) : { S: 'Transparency' }
  const form: Record<string, unknown> = {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [box.x, box.y, box.x + box.width, box.y + box.height].map(exact),
    Matrix: uprightMatrix(page).map(exact),
    Resources: copy.dict(resources),
    // An isolated group: the parts of the page are blended with each other, not with what is below the page.
    ...(traits.isTransparent && { Group: { ...pageGroup, Type: 'Group', I: true } }),
  }
  // A single stream is copied with its filters; the content of several was joined.
  const [only] = streamsOf(file, dict.get('Contents'))
  const stream = traits.content === undefined && only ? withoutLzw(file, only) : undefined
  const filters = stream ? copy.dict(stream.dict) : {}
  const { Filter, DecodeParms } = filters
  const entries = {
    ...form,
    ...(Filter !== undefined && { Filter }),
    ...(DecodeParms !== undefined && { DecodeParms }),
  }
  const result = added(doc, entries, stream ? Buffer.from(stream.bytes) : (traits.content ?? Buffer.alloc(0)))
  copy.finish()
  return result
}

/** Bytes of one stream that was encoded with LZW. */
const maxRecoded = 2 ** 28

/**
 * The stream with Flate in place of LZW, which files for the press may not contain (ISO 15930-7). Predictors stay, which both have.
 * A stream that cannot be decoded stays as it is.
 */
function withoutLzw(file: CustomerPdf, stream: Stream): Stream {
  const { names, parameters, isEarly } = filtersOf(file, stream)
  if (!names.some((name) => name === 'LZWDecode' || name === 'LZW')) return stream
  try {
    const bytes = filtered(Buffer.from(stream.bytes), names, { maxLength: maxRecoded, isEarly })
    if (bytes === undefined) return stream
    const dict = new Map(stream.dict)
    dict.set('Filter', new Name('FlateDecode'))
    dict.set('DecodeParms', parameters.at(-1) ?? null)
    return new Stream(dict, deflateSync(bytes))
  } catch (error) {
    if (error instanceof Undrawable) return stream
    throw error
  }
}

/** From the page's units to points of the upright page. */
function uprightMatrix({ box, turn, width }: PdfPageObject): Matrix {
  const isTurned = turn === 90 || turn === 270
  const unit = width / (isTurned ? box.height : box.width)
  const { x, y, width: w, height: h } = box
  const turned: Record<PdfPageObject['turn'], Matrix> = {
    0: [1, 0, 0, 1, -x, -y],
    90: [0, -1, 1, 0, -y, x + w],
    180: [-1, 0, 0, -1, x + w, y + h],
    270: [0, 1, -1, 0, y + h, -x],
  }
  return multiply([unit, 0, 0, unit, 0, 0], turned[turn])
}

/**
 * A value that PDFKit writes into the file as this text. PDFKit rounds numbers to six digits and writes strings as names; but an
 * object whose tag (`Object.prototype.toString`) is not `[object Object]` it writes by its `toString`. Any other tag would do.
 */
const verbatim = (text: string) => ({ [Symbol.toStringTag]: 'VerbatimPdf', toString: () => text })

/** A number with all its digits and without an exponent, which PDF does not have. */
function exact(number: number) {
  const text = String(number)
  return verbatim(text.includes('e') ? decimal(number, 12) : text)
}

/** A name of the customer's file, whose characters stand for bytes, without its slash. */
const nameText = (name: string) => escapedName(Buffer.from(name, 'latin1'))

/** Which entries of a dictionary are copied: those with known keys, or all because its keys are names of the file. */
type Keys = 'known' | 'all'

/** An object of the customer's file whose copy is not written yet. */
interface PendingObject {
  reference: PdfObject
  value: Dict | Stream | readonly Value[]
  keys: Keys
}

/** Copies values of a page as PDFKit writes them. Objects become objects of the document, each once; `finish` writes them. */
function copier(doc: Document, { file }: PdfPageObject) {
  /** The objects of the document, by the keys of the references in the file. */
  const references = new Map<string, PdfObject>()
  const pending: PendingObject[] = []

  const copiedDict = (dict: Dict, keys: Keys): Record<string, unknown> => {
    const entries: Record<string, unknown> = Object.create(null)
    for (const [key, value] of dict) {
      if (keys === 'known' && !copiedKeys.has(key)) continue
      const target = file.resolve(value)
      // `Shading` is a dictionary of names in resources, and a shading itself in a pattern.
      const hasNames =
        keys === 'known' && nameDictionaries.has(key) && isDict(target) && !target.has('ShadingType')
      entries[nameText(key)] = copiedValue(value, hasNames ? 'all' : 'known')
    }
    return entries
  }

  /** @param keys which entries are copied if the value is, or leads to, a dictionary */
  const copiedValue = (value: Value, keys: Keys): unknown => {
    if (value instanceof Reference) return copiedReference(value, keys)
    if (value instanceof Name) return verbatim(`/${nameText(value.text)}`)
    if (typeof value === 'number') return exact(value)
    if (value instanceof Uint8Array) return Buffer.from(value)
    if (Array.isArray(value)) return value.map((item) => copiedValue(item, 'known'))
    return isDict(value) ? copiedDict(value, keys) : value
  }

  /** The copy of the object that a reference leads to; a number, name or string takes the place of the reference itself. */
  const copiedReference = ({ key }: Reference, keys: Keys): unknown => {
    const copied = references.get(key)
    if (copied) return copied
    const value = file.resolve(new Reference(key))
    if (!(value instanceof Stream || Array.isArray(value) || isDict(value)))
      return copiedValue(value, 'known')
    if (references.size === maxObjects) throw new Undrawable('limit', 'The PDF has too many objects.')
    const reference = doc.ref(Array.isArray(value) ? [] : {})
    references.set(key, reference)
    pending.push({ reference, value, keys })
    return reference
  }

  const write = ({ reference, value: original, keys }: PendingObject): void => {
    const value = original instanceof Stream ? withoutLzw(file, original) : original
    if (value instanceof Stream) {
      Object.assign(reference.data, copiedDict(value.dict, keys))
      reference.compress = value.dict.get('Filter') === undefined
      reference.end(Buffer.from(value.bytes))
      return
    }
    // A reference to an array was created with an array as its data.
    if (Array.isArray(value))
      (reference.data as unknown as unknown[]).push(...value.map((item) => copiedValue(item, 'known')))
    else Object.assign(reference.data, copiedDict(value as Dict, keys))
    reference.end()
  }

  return {
    dict: (dict: Dict) => copiedDict(dict, 'known'),
    /** Writes the objects that were referred to, and those that they refer to. */
    finish() {
      for (let next = pending.pop(); next; next = pending.pop()) write(next)
    },
  }
}
