// Draws the pictures of views, and finds the warnings, that the tickets of an export show.
import { hash } from 'node:crypto'
import { SvcError } from '../core/errors.ts'
import { sentenceOf } from '../renderer/refusal.ts'
import type { PreflightSettings, Renderer } from '../renderer/renderer.ts'

/** What a ticket requests from the renderer. */
export interface TicketDrawing {
  /** PNG of a view; undefined if it cannot be drawn, or not in time. */
  picture: (design: string, view: number, width: number) => Promise<Buffer | undefined>
  /** Findings of a preflight, in sentences. */
  findings: (design: string) => Promise<string[]>
}

/** The drawing for the tickets of one export. @param settings those of its print file */
export function ticketDrawing(
  renderer: Renderer,
  settings: PreflightSettings,
  signal: AbortSignal,
): TicketDrawing {
  /**
   * Replaces the result of work that the renderer refuses or that takes too long: previews and preflights have less time than the print,
   * which must not fail with them. It does fail if the server stops (`svc_unavailable`), or with an unexpected error.
   */
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
