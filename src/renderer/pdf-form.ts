// A page of a customer's PDF as a form of the print file: its content, fonts and colors unchanged. Copied are the entries that
// paint; actions, annotations, links, attached files and metadata are not.
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
import { plain } from './outline.ts'
import { filtersOf } from './pdf-content.ts'
import { added, type Document, type Reference as DocumentReference } from './pdf-document.ts'
import { filtered } from './pdf-filters.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import { streamsOf } from './pdf-traits.ts'
import { Undrawable } from './refusal.ts'

const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')))

/** Entries of what a page paints with (PDF 32000-1, chapters 7.4, 7.10, 8, 9 and 11). */
const copied = setOf(
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
/** Entries whose values are dictionaries with names of the file's own as keys, such as `/Font << /F1 … >>`. */
const categories = setOf('Font XObject ExtGState ColorSpace Pattern Shading CharProcs Colorants')
const maxObjects = 50_000

/** The form shows the page upright in points, from its lower left corner. */
export function pdfForm(doc: Document, { page, traits }: PrintedPdf): DocumentReference {
  const { file, dict, resources, box } = page
  const copy = copier(doc, page)
  const group = file.resolve(dict.get('Group'))
  const ownGroup = isDict(group) ? copy.dict(group) : { S: 'Transparency' }
  const form: Record<string, unknown> = {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [box.x, box.y, box.x + box.width, box.y + box.height].map(exact),
    Matrix: uprightMatrix(page).map(exact),
    Resources: copy.dict(resources),
    // A page is blended by itself, and then placed.
    ...(traits.isTransparent && { Group: { ...ownGroup, Type: 'Group', I: true } }),
  }
  const [only] = streamsOf(file, dict.get('Contents'))
  const isOne = traits.content === undefined && only !== undefined
  const stream = isOne ? withoutLzw(file, only) : undefined
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
 * Files for the press may not contain LZW (ISO 15930-7): the stream with Flate in its place. Predictors stay, which both have.
 * What cannot be decoded stays as it is.
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
 * A value that is written into the file as this text. PDFKit writes an object by its `toString` if its tag is not `Object`;
 * it would round numbers to six digits, and take texts for names.
 */
const verbatim = (text: string) => ({ [Symbol.toStringTag]: 'Written', toString: () => text })

function exact(number: number) {
  const text = String(number)
  return verbatim(text.includes('e') ? plain(number, 12) : text)
}

/** Other than plain characters are written by their codes. */
const nameText = (name: string) =>
  [...Buffer.from(name, 'latin1')]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[A-Za-z0-9_.+*-]/.test(character) ? character : `#${byte.toString(16).padStart(2, '0')}`
    })
    .join('')

function copier(doc: Document, { file }: PdfPageObject) {
  const references = new Map<string, DocumentReference>()
  const waiting: {
    reference: DocumentReference
    value: Dict | Stream | readonly Value[]
    isCategory: boolean
  }[] = []

  /** @param isCategory whether its keys are names of the file's own, all of which are copied */
  const dictOf = (dict: Dict, isCategory = false): Record<string, unknown> => {
    const entries: Record<string, unknown> = Object.create(null)
    for (const [key, value] of dict) {
      if (!isCategory && !copied.has(key)) continue
      const target = file.resolve(value)
      const isNames = !isCategory && categories.has(key) && isDict(target) && !target.has('ShadingType')
      entries[nameText(key)] = copiedValue(value, isNames)
    }
    return entries
  }

  const copiedValue = (value: Value, isCategory = false): unknown => {
    if (value instanceof Reference) return referenceOf(value, isCategory)
    if (value instanceof Name) return verbatim(`/${nameText(value.text)}`)
    if (typeof value === 'number') return exact(value)
    if (value instanceof Uint8Array) return Buffer.from(value)
    if (Array.isArray(value)) return value.map((each) => copiedValue(each))
    return isDict(value) ? dictOf(value, isCategory) : value
  }

  /** Plain values stand where the reference stood. */
  const referenceOf = ({ key }: Reference, isCategory: boolean): unknown => {
    const known = references.get(key)
    if (known) return known
    const value = file.resolve(new Reference(key))
    if (!(value instanceof Stream || Array.isArray(value) || isDict(value))) return copiedValue(value)
    if (references.size === maxObjects) throw new Undrawable('limit', 'The PDF has too many objects.')
    const reference = doc.ref(Array.isArray(value) ? [] : {})
    references.set(key, reference)
    waiting.push({ reference, value, isCategory })
    return reference
  }

  return {
    dict: dictOf,
    /** Writes the objects that were referred to, and those that they refer to. */
    finish() {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { reference, isCategory } = next
        const value = next.value instanceof Stream ? withoutLzw(file, next.value) : next.value
        if (Array.isArray(value))
          (reference.data as unknown as unknown[]).push(...value.map((each) => copiedValue(each)))
        else
          Object.assign(
            reference.data,
            dictOf(value instanceof Stream ? value.dict : (value as Dict), isCategory),
          )
        if (value instanceof Stream) {
          reference.compress = value.dict.get('Filter') === undefined
          reference.end(Buffer.from(value.bytes))
        } else reference.end()
      }
    },
  }
}
