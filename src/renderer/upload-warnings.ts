// What of an uploaded file the renderer refuses or prints otherwise: the findings of a preflight on a design of that file alone.
import { setTimeout as delay } from 'node:timers/promises'
import { outsideRequest } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { fileTypes } from '../files/file-types.ts'
import type { FindingCode } from './refusal.ts'
import type { PreflightSettings, Renderer } from './renderer.ts'

export interface UploadedFont {
  family: string
}

export interface UploadedPicture {
  url: string
  mimeType: string
  /** Pixels; null for a PDF, and for a drawing without a size of its own. */
  width: number | null
  height: number | null
}

/** Findings about the file itself. The others depend on its place in a design. */
const ofFile: readonly FindingCode[] = ['font', 'picture', 'drawing', 'feature', 'limit', 'ink']

/** Milliseconds that a response waits for the preflight. */
const maxWait = 10_000

/** Letters with straight and round outlines, which most fonts have. */
const sample = 'Hamburg'
/** Millimetres of a page, and pixels of a picture whose size is not known. */
const [pageWidth, standardSide] = [200, 1000]

/** A view of one element or more on a page of their size. */
function designOf(elements: readonly object[], width: number, height: number): string {
  const options = {
    stageWidth: width,
    stageHeight: height,
    printingBox: { left: 0, top: 0, width, height },
    output: { width: pageWidth, height: (pageWidth * height) / width },
  }
  return JSON.stringify([{ title: 'Upload', options, elements }])
}

function fontDesign({ family }: UploadedFont): string {
  const styles = [{}, { fontWeight: 'bold' }, { fontStyle: 'italic' }]
  const elements = styles.map((style) => ({
    type: 'text',
    title: sample,
    source: sample,
    parameters: {
      text: sample,
      left: 500,
      top: 500,
      fontFamily: `"${family}"`,
      fontSize: 60,
      fill: '#000000',
      ...style,
    },
  }))
  return designOf(elements, standardSide, standardSide)
}

function pictureDesign({ url, width, height }: UploadedPicture): string {
  const [w, h] = width && height ? [width, height] : [standardSide, standardSide]
  const element = { type: 'image', title: 'Upload', source: url, parameters: { left: w / 2, top: h / 2 } }
  return designOf([element], w, h)
}

/** Decoded and encoded in sRGB by the check of the upload, with the same limit of pixels, so that only their ink is left to check. */
const isPhoto = (upload: UploadedFont | UploadedPicture) =>
  'mimeType' in upload &&
  [fileTypes.png.mimeType, fileTypes.jpeg.mimeType].some((type) => type === upload.mimeType)

/**
 * The messages of the preflight; empty if it cannot be made at once. Never fails.
 * @param settings those of an export of the shop; `client` is the sender: senders take turns
 */
export async function uploadWarnings(
  renderer: Pick<Renderer, 'preflight' | 'isForPress'>,
  upload: UploadedFont | UploadedPicture,
  settings: () => Promise<PreflightSettings>,
): Promise<string[]> {
  if (isPhoto(upload) && !renderer.isForPress) return []
  const design = 'family' in upload ? fontDesign(upload) : pictureDesign(upload)
  const ending = new AbortController()
  const late = delay(maxWait, [], { signal: ending.signal }).catch(() => [])
  const found = outsideRequest(async () => {
    const { findings } = await renderer.preflight(design, await settings(), ending.signal)
    return findings.filter(({ code }) => ofFile.some((each) => each === code))
  })
  try {
    const findings = await Promise.race([found, late])
    return [...new Set(findings.map(({ message }) => message))]
  } catch (error) {
    return error instanceof SvcError && error.code === 'svc_render_failed' ? [error.message] : []
  } finally {
    ending.abort(new Error('The response does not wait any longer.'))
    found.catch(() => {})
  }
}
