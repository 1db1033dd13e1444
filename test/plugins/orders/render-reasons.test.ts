// What a print job says when its file could not be drawn for a reason that is not in the design.
import t from 'tap'
import { runningContext } from '../../../src/http/running-apis.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada'))] }

t.test('a resolution in the settings that cannot be meant fails the job with the name of the setting', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, order } = await renderShop(t, engine, design)
    for (const stored of ['-5', '0.5', '1e9']) {
      await storeOption(host, 'svc_ae_image_dpi', stored)
      const { status, body } = await order({ output_format: 'png' })
      t.match({ status, body }, { status: 201, body: { data: { status: 'failed', file_url: null } } })
      const { data } = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body
      t.strictSame(data.error, {
        code: 'svc_render_failed',
        message: `The resolution is ${Number(stored)} dpi; it must be between 1 and 2400 (setting svc_ae_image_dpi).`,
      })
    }
    const own = await order({ output_format: 'png', dpi: 72 })
    t.equal(own.body.data.status, 'completed', 'the request names another one')
  }),
)

t.test('an unexpected failure is named without paths, and previews reveal nothing of it', async (t) => {
  const { host, order } = await renderShop(t, 'SQLite', design)
  const { renderer } = runningContext(host.app)
  const wish = { format: 'png' as const, cropMarks: true, includeFonts: false, includePictures: false }
  const failure = await renderer
    ?.print(
      JSON.stringify(design),
      { ...wish, client: 'order 1', dpi: Number.NaN, summary: false, minDpi: undefined },
      new AbortController().signal,
    )
    .catch((error: unknown) => error)
  t.match(failure, { code: 'svc_render_failed', message: /^The design could not be drawn: \S/ })
  t.notMatch(String(Reflect.get(Object(failure), 'message')), /\n|node_modules|\/tmp|process\.ts/)
  t.equal((await order({ output_format: 'png' })).body.data.status, 'completed')
})
