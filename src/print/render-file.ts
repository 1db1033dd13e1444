// Draws the file of a print job with the built-in renderer, with the same interface as files from a service.
import { SvcError } from '../core/errors.ts'
import type { SpotColor } from '../library/stored-colors.ts'
import { findingOf } from '../renderer/preflight-result.ts'
import type { OutputSettings } from '../renderer/press-settings.ts'
import { sentenceOf } from '../renderer/refusal.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { dpiRange, dpiSetting, type ExportOverrides, type exportOptions } from './export-request.ts'
import type { Maker } from './store-file.ts'

interface Drawing {
  renderer: Renderer
  /** JSON text of the customization. */
  design: string
  /** The customization is that of a whole order, made by `wholeOrder`. */
  isWhole: boolean
  how: Omit<ReturnType<typeof exportOptions>, 'cloud_webhook'>
  name: string
  minDpi: () => Promise<number | undefined>
  spots: () => Promise<SpotColor[]>
  output: () => Promise<OutputSettings>
  progress: (done: number) => void
}

export function makerOf(drawing: Drawing): Maker {
  const { renderer, design, isWhole, how, name, minDpi, spots, output, progress } = drawing
  return async (signal) => {
    assertResolution(how.dpi)
    const settings = {
      progress,
      format: how.output_format,
      dpi: how.dpi,
      hideMarks: how.hide_crop_marks,
      includeFonts: how.include_font_files,
      includePictures: how.include_images,
      summary: how.summary_json,
      minDpi: await minDpi(),
      output: { ...(await output()), ...colorOf(how.color) },
      isOnSheets: how.pages === 'sheet',
      isBundle: isWhole,
      spots: renderer.isForPress ? await spots() : [],
    }
    const { path, type, report } = await renderer.print(design, settings, signal)
    const extension = type === 'jpeg' ? 'jpg' : type
    const notes = {
      warnings: report.warnings.map(sentenceOf),
      preflight: report.warnings.map((each) => findingOf('warning', each)),
    }
    return { path, type, name: `order-${name}.${extension}`, notes }
  }
}

/** What the caller chose goes before the print profile. */
const colorOf = (color: ExportOverrides['color']): OutputSettings =>
  color === undefined ? {} : { color: color === 'rgb' ? 'rgb' : 'pdfx4' }

/** Settings that others stored are not checked before. */
function assertResolution(dpi: number): void {
  const { minimum, maximum } = dpiRange
  if (dpi >= minimum && dpi <= maximum) return
  const range = `it must be between ${minimum} and ${maximum} (setting ${dpiSetting})`
  throw new SvcError('svc_render_failed', { message: `The resolution is ${dpi} dpi; ${range}.` })
}
