// The parts of a PDFKit document that the emitter uses, beyond its published types.

export interface Reference {
  data: Record<string, unknown>
  /** Whether its bytes are deflated. */
  compress: boolean
  write(chunk: string | Uint8Array): void
  end(chunk?: string | Uint8Array): void
}

export interface EmbeddedFont {
  id: string
  ref(): Reference
  font: { getGlyph(id: number): { advanceWidth: number } }
  subset: { includeGlyph(id: number): number }
  /** Of each glyph of the subset, in 1/1000 em. */
  widths: (number | undefined)[]
  /** What each glyph of the subset reads as. */
  unicode: (number[] | undefined)[]
  /** 1/1000 em for each unit of the font. */
  scale: number
}

export interface Document extends NodeJS.ReadableStream {
  page: {
    dictionary: Reference
    resources: Reference
    fonts: Record<string, Reference>
    xobjects: Record<string, Reference>
    content: Reference
    ext_gstates: Record<string, Reference>
    colorSpaces: Record<string, Reference>
  }
  info: Record<string, unknown>
  _id: unknown
  _root: Reference
  endMetadata(): void
  /** From what is written now to the space of the page. */
  _ctm: number[]
  _font: EmbeddedFont
  addPage(options: { size: [number, number]; margin: number }): unknown
  registerFont(name: string, bytes: Uint8Array): unknown
  font(name: string): unknown
  ref(data: Record<string, unknown> | unknown[]): Reference
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

/** A finished object of the document. */
export function added(
  doc: Document,
  data: Record<string, unknown> | unknown[],
  content?: string | Uint8Array,
): Reference {
  const ref = doc.ref(data)
  ref.end(content)
  return ref
}

interface PdfGradient {
  stop(offset: number, color: readonly number[], opacity: number): PdfGradient
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): PdfGradient
}
