// Reads what a page of a customer's PDF paints with, which decides whether it is printed as vectors, and in the inks of a press.
import {
  type CustomerPdf,
  type Dict,
  isDict,
  Name,
  type PdfPageObject,
  Stream,
  type Value,
} from './customer-pdf.ts'
import { contentOf, type Operator, operatorsIn } from './pdf-content.ts'
import { tooLarge } from './pdf-filters.ts'
import { hasAnnotations, streamsOf } from './pdf-page-parts.ts'
import { Undrawable } from './refusal.ts'

/** What a page paints with, its forms, patterns and glyphs included. */
export interface PdfTraits {
  /** Names of fonts that the file does not contain, at most ten. */
  missingFonts: string[]
  /** Colors that no press prints as they are: RGB, Lab, with a profile. */
  hasOtherColors: boolean
  isTransparent: boolean
  /** Why the page can only be printed as a picture, as the end of a sentence that starts with "it". */
  problem: string | undefined
  /** Whether it has form fields or comments, which are not printed. */
  hasAnnotations: boolean
  /** The decoded content; undefined for a page of one stream, which is copied as it is. */
  content: Buffer | undefined
}

/** Bytes of the content of a page, its forms and patterns included. */
const maxContent = 32 * 2 ** 20
/** Operators in it: PDFium keeps up to a kilobyte for each, when it reads a page. */
const maxOperators = 1_000_000
/** Times that parts of a page are painted: a form that shows ten others ten times counts for a hundred. */
const maxPaintings = 100_000
/** Levels of forms within forms, and of colors within colors. */
const maxDepth = 30
/** The most fonts that are reported as missing. */
const maxFontNames = 10

/** Reads the content of a page with all forms and patterns in it. @throws Undrawable for a page beyond the limits */
export function traitsOfPage(page: PdfPageObject): PdfTraits {
  const { file, dict, resources } = page
  const scan = new Scan(file)
  const parts = streamsOf(file, dict.get('Contents'))
  const decoded = parts.map((part) => scan.decoded(part))
  // Operators may continue in the next stream.
  const content = Buffer.concat(decoded.flatMap((bytes) => [bytes ?? Buffer.alloc(0), Buffer.from('\n')]))
  scan.paint(content, resources, 0)
  const group = file.resolve(dict.get('Group'))
  if (scan.traits.isTransparent && isDict(group)) scan.useColors(group.get('CS'), resources, 0)
  return {
    ...scan.traits,
    content: parts.length === 1 ? undefined : content,
    hasAnnotations: hasAnnotations(file, dict),
  }
}

/** Color spaces that a press prints as they are, `G` and `CMYK` in inline images; patterns have colors of their own. */
const inkSpaces = new Set(['DeviceGray', 'DeviceCMYK', 'G', 'CMYK', 'Pattern'])
/** Color spaces that replace those of the device (PDF 32000-1 §8.6.5.6). */
const defaultSpaces = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK']

/**
 * Walks the content of a page and collects its traits. Methods that look at what an operator paints return how many parts it paints,
 * for `maxPaintings`; `resources` are those of the stream with the operator, `depth` its level of nesting.
 */
class Scan {
  readonly traits: Omit<PdfTraits, 'content' | 'hasAnnotations'> = {
    missingFonts: [],
    hasOtherColors: false,
    isTransparent: false,
    problem: undefined,
  }
  readonly #file: CustomerPdf
  #remainingBytes = maxContent
  #operatorCount = 0
  /** Paintings of each stream that was looked at; 0 while it is looked at. */
  readonly #paintings = new Map<Value, number>()
  /** Fonts that were looked at. */
  readonly #fonts = new Set<Value>()

  constructor(file: CustomerPdf) {
    this.#file = file
  }

  /** The decoded content of a stream; undefined if its encoding is not supported. @throws Undrawable */
  decoded(stream: Stream): Buffer | undefined {
    const content = contentOf(this.#file, stream, this.#remainingBytes)
    if (content === undefined) this.traits.problem ??= 'is encoded in a way that is not copied'
    else this.#remainingBytes = Math.max(1, this.#remainingBytes - content.length)
    return content
  }

  /** Looks at decoded content. @returns how many parts it paints. @throws Undrawable */
  paint(content: Buffer, resources: Dict, depth: number): number {
    if (depth > maxDepth) throw new Undrawable('limit', 'The parts of the PDF are nested too deeply.')
    const spaces = this.#dict(resources.get('ColorSpace'))
    if (defaultSpaces.some((name) => spaces.has(name))) this.traits.hasOtherColors = true
    let paintings = 1
    for (const operator of operatorsIn(content)) {
      if (++this.#operatorCount > maxOperators) throw tooLarge()
      paintings += this.#apply(operator, resources, depth)
      if (paintings > maxPaintings)
        throw new Undrawable('limit', 'The PDF shows its parts too many times to be drawn.')
    }
    return paintings
  }

  /** Looks at what one operator uses (PDF 32000-1 annex A lists the operators). */
  #apply({ name, operands }: Operator, resources: Dict, depth: number): number {
    const last = operands.at(-1)
    // The resource that the last operand names.
    const named = (category: string) =>
      typeof last === 'string'
        ? this.#file.resolve(this.#dict(resources.get(category)).get(last.slice(1)))
        : null
    if (name === 'rg' || name === 'RG') this.traits.hasOtherColors = true
    else if ((name === 'cs' || name === 'CS') && typeof last === 'string')
      this.#useNamedColors(last.slice(1), resources, depth)
    else if (name === 'scn' || name === 'SCN') return this.#pattern(named('Pattern'), resources, depth)
    else if (name === 'sh') this.#shading(named('Shading'), resources, depth)
    else if (name === 'gs') return this.#state(named('ExtGState'), resources, depth)
    else if (name === 'Do') return this.#xObject(named('XObject'), resources, depth)
    else if (name === 'Tf') return this.#font(this.#fontOf(operands, resources), resources, depth)
    else if (name === 'ID') this.#inlineImage(operands, resources, depth)
    else if (name === 'BDC' && operands[0] === '/OC') this.traits.problem ??= 'has layers'
    return 0
  }

  /** The dictionary that a value refers to; an empty one for other values. */
  #dict(value: Value | undefined): Dict {
    const resolved = this.#file.resolve(value)
    return isDict(resolved) ? resolved : new Map()
  }

  /** The name that a value refers to; empty for other values. */
  #name(value: Value | undefined): string {
    const resolved = this.#file.resolve(value)
    return resolved instanceof Name ? resolved.text : ''
  }

  /** Looks at a color space of the resources, or of the device, by its name. */
  #useNamedColors(name: string, resources: Dict, depth: number): void {
    const space = this.#dict(resources.get('ColorSpace')).get(name)
    if (space === undefined) this.useColors(new Name(name), new Map(), depth)
    else this.useColors(space, resources, depth)
  }

  /** Looks at a color space: device colors of ink, and spot colors over them, are printed as they are. */
  useColors(value: Value | undefined, resources: Dict, depth: number): void {
    const space = this.#file.resolve(value)
    if (space === null) return
    if (depth > maxDepth) throw new Undrawable('limit', 'The colors of the PDF are nested too deeply.')
    if (space instanceof Name) {
      const named = this.#dict(resources.get('ColorSpace')).get(space.text)
      if (inkSpaces.has(space.text)) return
      if (named === undefined) this.traits.hasOtherColors = true
      else this.useColors(named, new Map(), depth + 1)
      return
    }
    const parts = Array.isArray(space) ? space : []
    const kind = this.#name(parts[0])
    if (kind === 'Indexed' || kind === 'I' || kind === 'Pattern')
      this.useColors(parts[1], resources, depth + 1)
    else if (kind === 'Separation' || kind === 'DeviceN') this.useColors(parts[2], resources, depth + 1)
    else if (!inkSpaces.has(kind)) this.traits.hasOtherColors = true
  }

  #pattern(pattern: Value, resources: Dict, depth: number): number {
    if (pattern instanceof Stream) return this.#stream(pattern, resources, depth)
    if (!isDict(pattern)) return 0
    this.#shading(this.#file.resolve(pattern.get('Shading')), resources, depth)
    return this.#state(this.#file.resolve(pattern.get('ExtGState')), resources, depth)
  }

  #shading(shading: Value, resources: Dict, depth: number): void {
    const dict = shading instanceof Stream ? shading.dict : shading
    if (isDict(dict)) this.useColors(dict.get('ColorSpace'), resources, depth)
  }

  /** A graphics state. */
  #state(state: Value, resources: Dict, depth: number): number {
    if (!isDict(state)) return 0
    const opacities = [state.get('ca'), state.get('CA')].map((value) => this.#file.resolve(value))
    const blend = this.#file.resolve(state.get('BM'))
    const mode = this.#name(Array.isArray(blend) ? blend[0] : blend)
    const mask = this.#file.resolve(state.get('SMask'))
    const isFaded = opacities.some((opacity) => typeof opacity === 'number' && opacity < 1)
    if (isFaded || !['', 'Normal', 'Compatible'].includes(mode)) this.traits.isTransparent = true
    const curves = [state.get('TR'), state.get('TR2')].map((value) => this.#file.resolve(value))
    if (curves.some((curve) => curve !== null && !(curve instanceof Name)))
      this.traits.problem ??= 'has a transfer function'
    const [font] = [this.#file.resolve(state.get('Font'))].flat()
    let paintings = font ? this.#font(this.#file.resolve(font as Value), resources, depth) : 0
    if (isDict(mask)) {
      this.traits.isTransparent = true
      const group = this.#file.resolve(mask.get('G'))
      if (group instanceof Stream) paintings += this.#stream(group, resources, depth)
    }
    return paintings
  }

  #xObject(object: Value, resources: Dict, depth: number): number {
    if (!(object instanceof Stream)) return 0
    const { dict } = object
    const kind = this.#name(dict.get('Subtype'))
    if (dict.has('OC')) this.traits.problem ??= 'has layers'
    if (kind === 'Image') {
      this.#image(dict, resources, depth)
      return 1
    }
    if (kind !== 'Form' || dict.has('Ref') || dict.has('PS') || this.#name(dict.get('Subtype2')) === 'PS') {
      this.traits.problem ??= 'contains PostScript or parts of other files'
      return 0
    }
    return this.#stream(object, resources, depth)
  }

  #image(dict: Dict, resources: Dict, depth: number): void {
    if (dict.has('SMask') || dict.has('SMaskInData')) this.traits.isTransparent = true
    if (this.#file.resolve(dict.get('ImageMask')) === true) return
    // A JPEG 2000 picture without /ColorSpace defines its colors itself (PDF 32000-1 §7.4.9).
    if (dict.has('ColorSpace')) this.useColors(dict.get('ColorSpace'), resources, depth)
    else this.traits.hasOtherColors = true
  }

  /** Looks at the color space of an inline image. @param operands keys and values */
  #inlineImage(operands: Operator['operands'], resources: Dict, depth: number): void {
    for (const [index, key] of operands.entries()) {
      const value = operands[index + 1]
      if ((key === '/CS' || key === '/ColorSpace') && typeof value === 'string')
        this.#useNamedColors(
          value === '/I' || value === '/Indexed' ? String(operands[index + 2]).slice(1) : value.slice(1),
          resources,
          depth,
        )
    }
  }

  /** Looks at a form, a pattern or a glyph, once. @param outer the resources around it, which it uses if it has none */
  #stream(stream: Stream, outer: Dict, depth: number): number {
    const countedPaintings = this.#paintings.get(stream)
    if (countedPaintings === 0) throw new Undrawable('picture', 'A part of the PDF contains itself.')
    if (countedPaintings !== undefined) return countedPaintings
    this.#paintings.set(stream, 0)
    const group = this.#dict(stream.dict.get('Group'))
    const streamResources = this.#file.resolve(stream.dict.get('Resources'))
    const resources = isDict(streamResources) ? streamResources : outer
    if (this.#name(group.get('S')) === 'Transparency') {
      this.traits.isTransparent = true
      this.useColors(group.get('CS'), resources, depth)
    }
    const content = this.decoded(stream)
    const paintings = content ? this.paint(content, resources, depth + 1) : 1
    this.#paintings.set(stream, paintings)
    return paintings
  }

  #fontOf(operands: Operator['operands'], resources: Dict): Value {
    const name = operands.find((operand) => typeof operand === 'string')
    return name === undefined
      ? null
      : this.#file.resolve(this.#dict(resources.get('Font')).get(name.slice(1)))
  }

  /** Looks at a font, once: whether the file contains it, and what the glyphs of a Type 3 font paint. */
  #font(font: Value, resources: Dict, depth: number): number {
    if (!isDict(font) || this.#fonts.has(font)) return 0
    this.#fonts.add(font)
    if (this.#name(font.get('Subtype')) === 'Type3') {
      const glyphs = [...this.#dict(font.get('CharProcs')).values()].map((value) => this.#file.resolve(value))
      const fontResources = this.#file.resolve(font.get('Resources'))
      const glyphResources = isDict(fontResources) ? fontResources : resources
      // A text shows one glyph at a time, so that the glyph with the most parts counts.
      return glyphs.reduce<number>(
        (most, glyph) =>
          glyph instanceof Stream ? Math.max(most, this.#stream(glyph, glyphResources, depth)) : most,
        0,
      )
    }
    const [descendant] = [this.#file.resolve(font.get('DescendantFonts'))].flat()
    const describedFont = descendant ? this.#dict(descendant as Value) : font
    const descriptor = this.#dict(describedFont.get('FontDescriptor'))
    const isEmbedded = ['FontFile', 'FontFile2', 'FontFile3'].some(
      (key) => this.#file.resolve(descriptor.get(key)) instanceof Stream,
    )
    const { missingFonts } = this.traits
    const name = this.#name(font.get('BaseFont')).replace(/^[A-Z]{6}\+/, '')
    if (!isEmbedded && missingFonts.length < maxFontNames && !missingFonts.includes(name))
      missingFonts.push(name)
    return 0
  }
}
