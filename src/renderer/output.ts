// Pages of marks become files: a PDF of all pages, or one SVG for each.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { castShadow, shadowsIn, smooth } from './cast-shadow.ts'
import { isScalable, type KeptPicture } from './drawn-materials.ts'
import type { PdfInks } from './emit-pdf.ts'
import { svgOf } from './emit-svg.ts'
import type { Mark, ShadowMark } from './marks.ts'
import type { Loaded } from './materials.ts'
import { drawingDpi, picturesIn, shadowDpi, shadowScale } from './output-limits.ts'
import { bledBox, type PdfPage } from './page.ts'
import type { Document } from './pdf-document.ts'
import { pictureReason } from './pdf-page-print.ts'
import type { PdfPicture } from './pdf-picture.ts'
import { pngRows } from './picture-files.ts'
import { isGrayPicture, isOpaque, isPhoto, neededWidth, pixelsOf, printQuality } from './picture-pixels.ts'
import { pressColors, pressPicture } from './press-colors.ts'
import type { Imposition } from './sheet.ts'
import { rasterized, svgInks } from './svg-pictures.ts'
import type { PrintTask } from './task.ts'
import { writePdf } from './write-pdf.ts'

const inch = 25.4

type PdfKit = new (options: Record<string, unknown>) => Document

/** The title of a PDF, its imposition, and the report of progress. */
export interface PdfAbout {
  title: string
  /** Undefined if each page is one of the file. */
  imposition: Imposition | undefined
  /** Called with the index of the page that is painted next. */
  drawn: (index: number) => Promise<void>
}

/** The PDF of all pages: prepares their pictures and shadows, then writes the pages. @throws Undrawable for a picture beyond the limits */
export async function pdfOf(
  { design, cropMarks, mirror = false, outlines = false, dpi, maxPixels, press }: PrintTask,
  pages: PdfPage[],
  loaded: Loaded,
  { title, imposition, drawn }: PdfAbout,
): Promise<Buffer> {
  const pictures = new Map<string, PdfPicture>()
  const shadows = new Map<ShadowMark, NonNullable<ReturnType<PdfInks['shadow']>>>()
  for (const [index, { page, marks }] of pages.entries()) {
    await drawn(index)
    const scale = page.width / page.box.width / inch
    const inks = await svgInks(loaded, shadowPictures(marks), { perStage: scale * drawingDpi, maxPixels })
    for (const key of picturesIn(marks, false)) {
      const loadedPicture = loaded.pictures.get(key)
      if (loadedPicture && !pictures.has(key))
        pictures.set(key, await pdfPicture(loadedPicture, scale * drawingDpi, maxPixels, press !== undefined))
    }
    for (const mark of shadowsIn(marks)) {
      const fine = shadowScale(scale, dpi)
      const cast = await castShadow(mark, page, inks, { x: fine, y: fine }, maxPixels)
      if (!cast) continue
      const { data, info } = await smooth(cast, scale * shadowDpi.least, maxPixels)
      const key = `S${shadows.size + 1}`
      pictures.set(key, { kind: 'pixels', rgba: data, width: info.width, height: info.height, isSoft: true })
      shadows.set(mark, { key, ...cast.area })
    }
  }
  if (press) {
    for (const [key, picture] of pictures) pictures.set(key, await pressPicture(picture, press.profile))
  }
  const PdfKit = (await import('pdfkit')).default as unknown as PdfKit
  const doc = new PdfKit({
    autoFirstPage: false,
    compress: true,
    pdfVersion: '1.6',
    info: { Producer: 'svc-api', Creator: 'svc-api' },
  })
  const whole = buffer(doc)
  const known = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('A mark refers to a file that was not loaded.')
    return value
  }
  const inks: PdfInks = {
    font: (key) => known(loaded.faces.get(key)),
    picture: (key) => known(pictures.get(key)),
    shadow: (mark) => shadows.get(mark),
  }
  const inInks = press && {
    colors: await pressColors(
      pages.flatMap(({ marks }) => marks),
      press,
    ),
    intent: { profile: await readFile(press.profile), condition: press.condition },
    overprintBlack: press.overprintBlack,
    title,
  }
  const id = createHash('md5').update(design).digest()
  writePdf(doc, pages, inks, { cropMarks, mirror, outlines, id, press: inInks, imposition })
  return whole
}

/** The whole page with its bleed as SVG, in millimetres. */
export async function svgFile(
  { page, marks }: PdfPage,
  loaded: Loaded,
  { dpi, maxPixels, mirror = false }: Pick<PrintTask, 'dpi' | 'maxPixels' | 'mirror'>,
): Promise<Buffer> {
  const scale = (page.width / page.box.width / inch) * dpi
  const inks = await svgInks(loaded, picturesIn(marks, true), { perStage: scale, maxPixels, isWhole: true })
  const side = (length: number) => `${Math.round((length + 2 * page.bleed) * 1000) / 1000}mm`
  return Buffer.from(
    svgOf({ area: bledBox(page), marks, width: side(page.width), height: side(page.height), mirror }, inks),
  )
}

const shadowPictures = (marks: readonly Mark[]): Set<string> =>
  new Set(shadowsIn(marks).flatMap((mark) => [...picturesIn(mark.marks, true)]))

async function pdfPicture(
  loadedPicture: KeptPicture,
  pixelsPerStage: number,
  maxPixels: number,
  isForPress: boolean,
): Promise<PdfPicture> {
  if (
    'pdf' in loadedPicture &&
    !loadedPicture.change &&
    !loadedPicture.blur &&
    !pictureReason(loadedPicture.pdf, isForPress)
  )
    return { kind: 'page', pdf: loadedPicture.pdf }
  if (isScalable(loadedPicture)) {
    const image = (await rasterized(loadedPicture, pixelsPerStage, maxPixels)).ensureAlpha().raw()
    const { data, info } = await image.toBuffer({ resolveWithObject: true })
    return { kind: 'pixels', rgba: data, width: info.width, height: info.height }
  }
  const { source, change, blur } = loadedPicture
  const { width, height, bytes, channels, icc, orientation } = source
  // What is encoded once more needs no pixels that cannot be seen.
  const needed = neededWidth(loadedPicture, pixelsPerStage)
  const isReduced = isForPress && channels === 3 && needed !== undefined
  const isKept = (source.isPlainJpeg && !isReduced) || (isForPress && source.isPlainCmyk)
  if (!change && !blur && isKept) return { kind: 'jpeg', bytes, width, height, channels, icc, orientation }
  const isGray = isGrayPicture(source) && !change
  const isPlainPng = source.format === 'png' && (isGray || !isForPress)
  const png = !change && !blur && isPlainPng ? pngRows(bytes) : undefined
  if (png) return { kind: 'png', width, height, ...png }
  const { data: rgba, ...size } = await pixelsOf(loadedPicture, needed)
  if (!isPhoto(source) || !isOpaque(rgba)) return { kind: 'pixels', rgba, ...size, isGray }
  const jpeg = sharp(rgba, { raw: { ...size, channels: 4 } })
    .removeAlpha()
    .toColourspace(isGray ? 'b-w' : 'srgb')
    .jpeg(printQuality)
  const encoded = { bytes: await jpeg.toBuffer(), ...size, channels: isGray ? 1 : 3 }
  return { kind: 'jpeg', ...encoded, icc: undefined, orientation: 1 }
}
