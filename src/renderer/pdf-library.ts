// Declares the parts of `@cantoo/pdf-lib` that customer-pdf.ts uses to read the objects of a file. It is an optional package, so its
// types are not imported.

/** A class of the package, for `instanceof`. */
type Class<Instance> = abstract new (...parameters: never[]) => Instance

/** A dictionary of the file. */
export interface PdfDictionary {
  entries(): [{ decodeText(): string }, unknown][]
}

/** The objects of the file. */
export interface PdfContext {
  /** The object that a reference leads to; undefined if there is none. */
  lookup(reference: object): unknown
  trailerInfo: { Root?: unknown }
}

/** The package. */
export interface PdfLibrary {
  PDFDocument: {
    load(bytes: Uint8Array, options: Record<string, unknown>): Promise<{ context: PdfContext }>
  }
  PDFName: Class<{ decodeText(): string }>
  PDFNumber: Class<{ asNumber(): number }>
  PDFBool: Class<{ asBoolean(): boolean }>
  PDFString: Class<{ asBytes(): Uint8Array }>
  PDFHexString: Class<{ asBytes(): Uint8Array }>
  PDFArray: Class<{ asArray(): unknown[] }>
  PDFDict: Class<PdfDictionary>
  PDFRawStream: Class<{ dict: PdfDictionary; getContents(): Uint8Array }>
  PDFRef: Class<{ objectNumber: number; generationNumber: number }> & {
    of(number: number, generation: number): object
  }
}
