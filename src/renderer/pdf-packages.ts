// Names the optional packages that read and draw customers' PDFs.
import { Undrawable } from './refusal.ts'

/** The first reads the objects of a PDF, the second draws its pages as pixels. */
export const pdfPackages = ['@cantoo/pdf-lib', '@hyzyla/pdfium'] as const

/** The refusal of a PDF while one of them is not installed. */
export const missingPackages = () =>
  new Undrawable(
    'picture',
    `PDFs in designs need the packages ${pdfPackages.join(' and ')}; run "npm install ${pdfPackages.join(' ')}".`,
  )
