// The parts of `@cantoo/pdf-lib` that read the objects of a file. It is an optional package, so its types are not imported.

type Class<Instance> = abstract new (...parameters: never[]) => Instance

export interface PdfDictionary {
  entries(): [{ decodeText(): string }, unknown][]
}

export interface PdfContext {
  /** The object that a reference leads to; undefined if there is none. */
  lookup(reference: object): unknown
  trailerInfo: { Root?: unknown }
}

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
