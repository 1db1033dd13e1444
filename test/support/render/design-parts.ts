// What the designs of the comparison are made of.

export interface TestDesign {
  name: string
  elements: unknown[]
  bleed?: number
  /** Of the view; only that in the printing box is printed. */
  printAreas?: { id: string; printingBox: typeof printingBox; excludeFromExport?: boolean }[]
  /** Of the view. */
  mask?: { url: string; left: number; top: number; scaleX: number; scaleY: number }
  /** Most of the pixels that may differ; edges of thin text on small pages are many. */
  share?: number
}

/** The stage of all of them: 4 by 3 inches of a stage of 600 by 450. */
export const printingBox = { left: 100, top: 75, width: 400, height: 300 }
export const output = { width: 101.6, height: 76.2 }

type Parameters = Record<string, unknown>

export const text = (words: string, parameters: Parameters = {}, title = words) => ({
  title,
  source: words,
  type: 'text',
  parameters: {
    fontFamily: 'Liberation Sans',
    fontSize: 40,
    left: 300,
    top: 225,
    text: words,
    ...parameters,
  },
})
export const picture = (source: string, parameters: Parameters = {}, title = source) => ({
  title,
  source,
  type: 'image',
  parameters: { left: 300, top: 225, ...parameters },
})

export const one = (name: string, ...elements: unknown[]): TestDesign => ({ name, elements })
/** Of so much text that Poppler's edges add up. */
export const broad = (name: string, ...elements: unknown[]): TestDesign => ({ name, elements, share: 0.02 })
/** Of many small letters. */
export const dense = (design: TestDesign): TestDesign => ({ ...design, share: 0.008 })
export const dejavu = { fontFamily: 'DejaVu Sans' }
