// Warns in the response to an upload of what the renderer would refuse or print differently, by a preflight of a design that shows that
// file alone.
import { setTimeout as delay } from 'node:timers/promises'
import { withoutDeadline } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import type { FindingCode } from '../core/finding-codes.ts'
import { fileTypes } from '../files/file-types.ts'
import type { PreflightSettings, Renderer } from './renderer.ts'

/** A font that was stored. */
export interface UploadedFont {
  family: string
}

/** A picture that was stored. */
export interface UploadedPicture {
  url: string
  mimeType: string
  /** Pixels; null for a PDF, and for a drawing without a size of its own. */
  width: number | null
  height: number | null
}

/** Codes of findings about a file itself; others depend on its place in a design. */
const codesOfFiles: readonly FindingCode[] = ['font', 'picture', 'drawing', 'feature', 'limit', 'ink']

/** Milliseconds that a response waits for the preflight. */
const maxWait = 10_000

/** Letters with straight and round outlines, which most fonts have. */
const sample = 'Hamburg'
/** Millimetres of the page's width, and pixels of a side of a picture whose size is unknown. */
const [pageWidth, standardSide] = [200, 1000]

/** A design of one view with these elements on a page of their size, as JSON. */
function designOf(elements: readonly object[], width: number, height: number): string {
  const options = {
    stageWidth: width,
    stageHeight: height,
    printingBox: { left: 0, top: 0, width, height },
    output: { width: pageWidth, height: (pageWidth * height) / width },
  }
  return JSON.stringify([{ title: 'Upload', options, elements }])
}

/** A design with the sample in each style of the family. */
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

/** Whether the check of the upload encoded it anew, in sRGB and with the same limit of pixels: then only its ink can cause a warning. */
const isReencoded = (upload: UploadedFont | UploadedPicture) =>
  'mimeType' in upload &&
  [fileTypes.png.mimeType, fileTypes.jpeg.mimeType].some((type) => type === upload.mimeType)

/**
 * The messages of the preflight; empty if it takes too long or cannot be made. Never rejects.
 * @param settings those of an export of the shop; their `client` is the sender of the upload: senders take turns
 */
export async function uploadWarnings(
  renderer: Pick<Renderer, 'preflight' | 'isForPress'>,
  upload: UploadedFont | UploadedPicture,
  settings: () => Promise<PreflightSettings>,
): Promise<string[]> {
  if (isReencoded(upload) && !renderer.isForPress) return []
  const design = 'family' in upload ? fontDesign(upload) : pictureDesign(upload)
  const end = new AbortController()
  const timeout = delay(maxWait, [], { signal: end.signal }).catch(() => [])
  const preflight = withoutDeadline(async () => {
    const { findings } = await renderer.preflight(design, await settings(), end.signal)
    return findings.filter(({ code }) => codesOfFiles.some((codeOfFiles) => codeOfFiles === code))
  })
  try {
    const findings = await Promise.race([preflight, timeout])
    return [...new Set(findings.map(({ message }) => message))]
  } catch (error) {
    return error instanceof SvcError && error.code === 'svc_render_failed' ? [error.message] : []
  } finally {
    end.abort(new Error('The response does not wait any longer.'))
    // A preflight that is aborted rejects after the race.
    preflight.catch(() => {})
  }
}
