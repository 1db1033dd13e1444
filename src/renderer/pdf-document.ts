// Declares the parts of a PDFKit document that the renderer uses, beyond its published types, and what all that write into one share.
// Names with `_` are private in PDFKit.

/** An object of the document. */
export interface PdfObject {
  /** Its dictionary, or an array. */
  data: Record<string, unknown>
  /** Whether its bytes are deflated. */
  compress: boolean
  write(chunk: string | Uint8Array): void
  end(chunk?: string | Uint8Array): void
}

/** A font of the document, of which a subset of glyphs is embedded. */
export interface EmbeddedFont {
  /** The name by which pages refer to it. */
  id: string
  /** The object of the font. */
  ref(): PdfObject
  font: { getGlyph(id: number): { advanceWidth: number } }
  /** Adds a glyph to the subset and returns its index in it. */
  subset: { includeGlyph(id: number): number }
  /** The width of each glyph of the subset, in 1/1000 em. */
  widths: (number | undefined)[]
  /** The characters that each glyph of the subset stands for. */
  unicode: (number[] | undefined)[]
  /** 1/1000 em for each unit of the font. */
  scale: number
}

/** A PDFKit document; it is read as the stream of the file. */
export interface Document extends NodeJS.ReadableStream {
  /** The current page, with its resources by name. */
  page: {
    dictionary: PdfObject
    resources: PdfObject
    fonts: Record<string, PdfObject>
    xobjects: Record<string, PdfObject>
    content: PdfObject
    ext_gstates: Record<string, PdfObject>
    colorSpaces: Record<string, PdfObject>
  }
  /** The document information dictionary. */
  info: Record<string, unknown>
  /** The file identifier. */
  _id: unknown
  /** The document catalog. */
  _root: PdfObject
  /** Writes XMP metadata when the document ends. */
  endMetadata(): void
  /** The current matrix, from what is written to the space of the page. */
  _ctm: number[]
  /** The font that was selected last. */
  _font: EmbeddedFont
  addPage(options: { size: [number, number]; margin: number }): unknown
  registerFont(name: string, bytes: Uint8Array): unknown
  font(name: string): unknown
  ref(data: Record<string, unknown> | unknown[]): PdfObject
  addContent(text: string): unknown
  save(): unknown
  restore(): unknown
  transform(a: number, b: number, c: number, d: number, e: number, f: number): unknown
  fillColor(color: unknown, alpha?: number): unknown
  strokeColor(color: unknown, alpha?: number): unknown
  fillOpacity(alpha: number): unknown
  strokeOpacity(alpha: number): unknown
  opacity(alpha: number): unknown
  linearGradient(x1: number, y1: number, x2: number, y2: number): PdfGradient
  radialGradient(x1: number, y1: number, r1: number, x2: number, y2: number, r2: number): PdfGradient
  end(): void
}

/** Adds an object to the document and finishes it. @param content the bytes of a stream, encoded as `data` declares */
export function added(
  doc: Document,
  data: Record<string, unknown> | unknown[],
  content?: string | Uint8Array,
): PdfObject {
  const ref = doc.ref(data)
  ref.end(content)
  return ref
}

/** A name without its slash; characters that are not plain are written as their codes (PDF 32000-1 §7.3.5). PDFKit writes strings as names. */
export const escapedName = (name: Buffer): string =>
  name
    .toString('latin1')
    .replaceAll(
      /[^A-Za-z0-9_.+*-]/g,
      (character) => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )

interface PdfGradient {
  stop(offset: number, color: readonly number[], opacity: number): PdfGradient
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): PdfGradient
}
