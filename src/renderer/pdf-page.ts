// A page of a design on its way into a PDF.
import type { Mark } from './marks.ts'
import type { PageBox } from './page.ts'

export interface PdfPage {
  page: PageBox
  marks: Mark[]
}

export interface PageForm {
  hideMarks: boolean
  /** Entry of the pages' dictionaries in files for the press. */
  Group: { Group: Record<string, unknown> } | undefined
}
