// Draws a page of a customer's PDF as pixels, by PDFium in a sandbox of WebAssembly: a new sandbox for each call, so that no file can
// reach another; and in strips, so that memory never contains the pixels of a large page twice.
import { optionalPackage } from '../core/installed.ts'
import type { PdfPageObject } from './customer-pdf.ts'
import { missingPackages, pdfPackages } from './pdf-packages.ts'
import { Undrawable } from './refusal.ts'

/** The parts of `@hyzyla/pdfium` that are used; `module` is not among its published types. */
interface PdfiumPackage {
  PDFiumLibrary: { init(): Promise<{ module: PdfiumModule }> }
}

/** Functions of PDFium (fpdfview.h). Documents, pages, bitmaps and bytes are addresses in the memory of the sandbox; 0 is none. */
interface PdfiumModule {
  HEAPU8: Uint8Array
  wasmExports: { malloc(size: number): number }
  _FPDF_LoadMemDocument(bytes: number, size: number, password: number): number
  _FPDF_LoadPage(document: number, index: number): number
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, bytes: number, stride: number): number
  _FPDFBitmap_FillRect(
    bitmap: number,
    x: number,
    y: number,
    width: number,
    height: number,
    color: number,
  ): void
  _FPDFBitmap_Destroy(bitmap: number): void
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    turn: number,
    flags: number,
  ): void
}

/** The pixel format FPDFBitmap_BGRA. */
const withAlpha = 4
/** FPDF_REVERSE_BYTE_ORDER, which makes RGBA of it, and FPDF_PRINTING. */
const flags = 0x10 | 0x800
/** Pixels that are drawn at once. */
const maxStripPixels = 16_000_000

/** Checks that PDFium can read the page, without drawing it. @throws Undrawable */
export async function assertPdfPage(page: PdfPageObject): Promise<void> {
  await withPage(page, () => {})
}

/** The RGBA pixels of the upright page in a size. @throws Undrawable if PDFium cannot draw it */
export async function pdfPixels(page: PdfPageObject, width: number, height: number): Promise<Buffer> {
  return withPage(page, (pdfium, loadedPage) => {
    const result = Buffer.alloc(width * height * 4)
    const rows = Math.min(height, Math.max(1, Math.floor(maxStripPixels / width)))
    const size = width * rows * 4
    const bytes = allocated(pdfium, size)
    for (let top = 0; top < height; top += rows) {
      const strip = Math.min(rows, height - top)
      const bitmap = pdfium._FPDFBitmap_CreateEx(width, strip, withAlpha, bytes, width * 4)
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, strip, 0)
      pdfium._FPDF_RenderPageBitmap(bitmap, loadedPage, 0, -top, width, height, 0, flags)
      result.set(pdfium.HEAPU8.subarray(bytes, bytes + width * strip * 4), top * width * 4)
      pdfium._FPDFBitmap_Destroy(bitmap)
    }
    return result
  })
}

/** Loads a page into a new sandbox and calls `use` with it. @throws Undrawable if that fails */
async function withPage<Result>(
  { file, number }: PdfPageObject,
  use: (pdfium: PdfiumModule, loadedPage: number) => Result,
): Promise<Result> {
  const library = await optionalPackage<PdfiumPackage>(pdfPackages[1]).catch(() => undefined)
  if (!library) throw missingPackages()
  const pdfium = (await library.PDFiumLibrary.init()).module
  try {
    const bytes = allocated(pdfium, file.bytes.byteLength)
    pdfium.HEAPU8.set(file.bytes, bytes)
    const document = pdfium._FPDF_LoadMemDocument(bytes, file.bytes.byteLength, 0)
    const loadedPage = document === 0 ? 0 : pdfium._FPDF_LoadPage(document, number - 1)
    if (loadedPage === 0) throw new Undrawable('picture', 'The page of the PDF is damaged.')
    return use(pdfium, loadedPage)
  } catch (error) {
    // A sandbox that runs out of memory, or whose code fails, throws an error of WebAssembly.
    if (error instanceof WebAssembly.RuntimeError)
      throw new Undrawable('picture', 'The page of the PDF is damaged, or too complex to be drawn.')
    throw error
  }
}

/** The address of new memory in the sandbox. */
function allocated({ wasmExports }: PdfiumModule, size: number): number {
  const address = wasmExports.malloc(size)
  if (address === 0) throw new Undrawable('limit', 'The page of the PDF is too large to be drawn.')
  return address
}
