// What the tickets of an export take from the renderer: pictures of the views, and the findings of a check.
import { hash } from 'node:crypto'
import { SvcError } from '../core/errors.ts'
import { sentenceOf } from '../renderer/refusal.ts'
import type { PreflightSettings, Renderer } from '../renderer/renderer.ts'

export interface TicketDrawing {
  /** PNG of a view; undefined if it cannot be drawn, or not in time. */
  picture: (design: string, view: number, width: number) => Promise<Buffer | undefined>
  /** In sentences. */
  findings: (design: string) => Promise<string[]>
}

/** @param settings the print that the tickets belong to */
export function ticketDrawing(
  renderer: Renderer,
  settings: PreflightSettings,
  signal: AbortSignal,
): TicketDrawing {
  /** A preview and a check have less time than a print, and wait for others: without them the print goes on. */
  const orElse = <T>(work: Promise<T>, otherwise: (message: string) => T): Promise<T> =>
    work.catch((error: unknown) => {
      if (!(error instanceof SvcError) || error.code === 'svc_unavailable') throw error
      return otherwise(error.message)
    })
  return {
    picture(design, view, width) {
      const key = hash('sha256', `${view} ${width} ${design}`)
      const preview = { key, client: settings.client, view, width }
      return orElse<Buffer | undefined>(renderer.preview(design, preview, signal), () => undefined)
    },
    findings: (design) =>
      orElse(
        renderer.preflight(design, settings, signal).then(({ findings }) => findings.map(sentenceOf)),
        (message) => [message],
      ),
  }
}
