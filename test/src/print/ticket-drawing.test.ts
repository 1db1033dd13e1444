// Pictures and findings for tickets: without them a print goes on.
import t from 'tap'
import { SvcError } from '../../../src/core/errors.ts'
import { ticketDrawing } from '../../../src/print/ticket-drawing.ts'
import type { PreflightSettings, Renderer } from '../../../src/renderer/renderer.ts'

const { signal } = new AbortController()
const settings = { client: 'wc 7', minDpi: undefined } as PreflightSettings

/** A renderer that fails with this error. */
function drawing(error: Error) {
  const fails = () => Promise.reject(error)
  return ticketDrawing({ preview: fails, preflight: fails } as unknown as Renderer, settings, signal)
}

t.test(
  'ticketDrawing: a view that is refused, too slow or has to wait too long leaves out its picture',
  async (t) => {
    for (const code of ['svc_render_refused', 'svc_render_failed', 'svc_renderer_busy'] as const) {
      const { picture, findings } = drawing(new SvcError(code, { message: `because of ${code}` }))
      t.equal(await picture('{}', 0, 240), undefined, code)
      t.same(await findings('{}'), [`because of ${code}`])
    }
  },
)

t.test('ticketDrawing: a server that is closing ends the work, which a later process repeats', async (t) => {
  const { picture, findings } = drawing(new SvcError('svc_unavailable'))
  await t.rejects(picture('{}', 0, 240), { code: 'svc_unavailable' })
  await t.rejects(findings('{}'), { code: 'svc_unavailable' })
})
