// Decides whether a page of a customer's PDF is printed as vectors with its fonts and colors, or as a picture; and the warnings about it.
import type { PdfPageObject } from './customer-pdf.ts'
import type { PdfTraits } from './pdf-traits.ts'
import { quoted } from './refusal.ts'

/** A page that a design shows, with what it paints; source-files.ts reads both. */
export interface PrintedPdf {
  page: PdfPageObject
  traits: PdfTraits
}

/**
 * Why the page becomes a picture in a PDF, as the end of a sentence; undefined if it is placed as vectors. In files for the press it is
 * placed as vectors only if all of its colors are gray, CMYK or spot colors.
 */
export function pictureReason(
  { traits }: PrintedPdf,
  { isForPress }: { isForPress: boolean },
): string | undefined {
  if (traits.missingFonts.length > 0) return 'does not contain its fonts'
  if (traits.problem !== undefined) return traits.problem
  if (isForPress && traits.hasOtherColors) return 'has colors in RGB or with a profile'
  return undefined
}

/** A warning about a page that is printed differently. */
interface PdfNote {
  code: 'font' | 'rgb' | 'drawing'
  message: string
}

/** The warnings about a page. @param isVectors whether the format is PDF, which can show the page as vectors */
export function pdfNotes(
  printed: PrintedPdf,
  { isForPress, isVectors }: { isForPress: boolean; isVectors: boolean },
): PdfNote[] {
  const { missingFonts, hasAnnotations } = printed.traits
  const notes: PdfNote[] = []
  if (missingFonts.length > 0)
    notes.push({
      code: 'font',
      message: `The PDF does not contain its fonts ${missingFonts.map(quoted).join(', ')}; it is printed in similar ones, as a picture.`,
    })
  const reason = isVectors ? pictureReason(printed, { isForPress }) : undefined
  if (reason !== undefined && missingFonts.length === 0) {
    const isOfColors = isForPress && printed.traits.problem === undefined
    const then = isOfColors ? ', which the output profile converts' : ''
    const message = `The PDF is printed as a picture, not as vectors: it ${reason}${then}.`
    notes.push({ code: isOfColors ? 'rgb' : 'drawing', message })
  }
  if (hasAnnotations)
    notes.push({
      code: 'drawing',
      message: 'The PDF has form fields or comments, which are not printed.',
    })
  return notes
}
