// Draws designs of several orders into one PDF, on request, without storing it.
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { SvcError } from '../core/errors.ts'
import { maxStored } from '../db/stored-json.ts'
import { isWithinLimits } from '../json/text.ts'
import type { SpotColor } from '../library/spot-colors.ts'
import { bundleOf, type DesignPart } from '../renderer/design.ts'
import type { OutputSettings } from '../renderer/press-settings.ts'
import type { Renderer } from '../renderer/renderer.ts'

interface Settings {
  renderer: Renderer
  /** On press sheets each page is repeated as often as its part says; otherwise it is printed once. */
  isOnSheets: boolean
  output: OutputSettings
  /** Pictures with a lower resolution cause a warning; undefined if the shop sets no limit. */
  minDpi: number | undefined
  spots: readonly SpotColor[]
  dpi: number
  mirror: boolean
  outlines: boolean
}

/**
 * The PDF of these designs, which batches of the desk send; its temporary file is removed when the stream has ended.
 * @throws SvcError 413 if the designs are too large together; what the renderer throws
 */
export async function bundleFile(
  parts: readonly DesignPart[],
  { renderer, ...settings }: Settings,
  signal: AbortSignal,
): Promise<Readable> {
  const design = bundleOf(parts)
  if (design.length > maxStored || !isWithinLimits(design))
    throw new SvcError('svc_list_too_large', {
      message: 'The designs are too large together for one file; choose fewer.',
    })
  const task = {
    ...settings,
    client: 'batch',
    format: 'svg-pdf' as const,
    cropMarks: true,
    isBundle: true,
    includeFonts: false,
    includePictures: false,
    summary: false,
  }
  const { path } = await renderer.print(design, task, signal)
  const stream = createReadStream(path)
  stream.once('close', () => void rm(path, { force: true }))
  return stream
}
