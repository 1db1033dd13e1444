// A sample of a font: lines of text that the page of the font shows, and a design of them that the renderer checks.

/** A font as the repository returns it. */
export interface SampledFont {
  name: string
  /** The regular style, in the folder of fonts. */
  file: string
  /** URLs of the other styles. */
  variants: { bold?: string; italic?: string; bolditalic?: string }
}

/** Lines of the sample, by what the renderer calls them in its findings. */
export const sampleLines = [
  { title: 'Capitals', text: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' },
  { title: 'Small letters', text: 'abcdefghijklmnopqrstuvwxyz' },
  { title: 'Digits and signs', text: '0123456789 .,:;!?-+()/&@#%' },
  { title: 'Western European letters', text: 'ÄÖÜäöüßÀÂÇÉÈÊËÎÏÔÙÛàâçéèêëîïôùûÑñÅåÆæØø' },
  { title: 'Central European letters', text: 'ĄĆĘŁŃÓŚŹŻąćęłńóśźżČĎĚŇŘŠŤŮŽčďěňřšťůžŐőŰű' },
  { title: 'Euro and quotation marks', text: '€“”„‘’–…' },
] as const

const styles = {
  bold: { style: 'Bold', looks: { fontWeight: 'bold' } },
  italic: { style: 'Italic', looks: { fontStyle: 'italic' } },
  bolditalic: { style: 'Bold italic', looks: { fontWeight: 'bold', fontStyle: 'italic' } },
} as const

interface Style {
  style: string
  /** Name of the file in the folder of fonts. */
  file: string
  /** Parameters of an element that is written in it. */
  looks: object
}

/** The styles that a family has, the regular one first. */
export function stylesOf({ file, variants }: SampledFont): Style[] {
  const otherStyles = Object.entries(styles).flatMap(([variant, style]) => {
    const url = variants[variant as keyof typeof styles]
    return url === undefined ? [] : { ...style, file: fileOf(url) }
  })
  return [{ style: 'Regular', file, looks: {} }, ...otherStyles]
}

const fileOf = (url: string) => decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))

const [lineWidth, lineHeight] = [1600, 60]

/** A design with all lines in all styles, each an element, so that a finding names the letters that it is about. */
export function sampleDesign(font: SampledFont): string {
  const elements = stylesOf(font).flatMap(({ style, looks }, column) =>
    sampleLines.map(({ title, text }, row) => ({
      title: `${style}: ${title}`,
      source: text,
      type: 'text',
      parameters: {
        text,
        fontFamily: font.name,
        fontSize: 24,
        ...looks,
        left: (column + 0.5) * lineWidth,
        top: (row + 1) * lineHeight,
        originX: 'center',
        originY: 'center',
      },
    })),
  )
  const [width, height] = [lineWidth * 4, lineHeight * (sampleLines.length + 1)]
  const options = {
    stageWidth: width,
    stageHeight: height,
    printingBox: { left: 0, top: 0, width, height },
    output: { width: width / 5, height: height / 5 },
  }
  return JSON.stringify({ product: [{ title: 'Sample', elements, options }] })
}
