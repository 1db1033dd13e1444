// Jobs that a dead process left: which are drawn again, and how.
import { hash } from 'node:crypto'
import t from 'tap'
import { unreadableValue } from '../../../src/core/errors.ts'
import { unavailable } from '../../../src/core/unavailable.ts'
import { drawnJobs } from '../../../src/print/drawn-jobs.ts'
import type { PrintJob } from '../../../src/print/print-job-reads.ts'
import type { DrawFile } from '../../../src/print/store-file.ts'

type Services = Parameters<typeof drawnJobs>[0]

const design = '[{"title":"Front"}]'
const details = {
  order_id: 7,
  order_type: 'wc',
  item_id: 3,
  output_format: 'png',
  dpi: 150,
  hide_crop_marks: true,
  include_images: false,
  export_method: 'renderer',
  design: hash('sha256', design),
}

/** Resumes a job after so many attempts; what was drawn, and why it was not. */
async function resumed(
  attempts: number,
  changes: object = {},
  customization: string | Error | undefined = design,
) {
  const job = { id: 1, guid: 'a', details: JSON.stringify({ ...details, ...changes }) } as PrintJob
  const drawn: { design: string; settings: Record<string, unknown> }[] = []
  const made: string[] = []
  const failures: unknown[] = []
  const { signal } = new AbortController()
  const services = {
    renderer: {
      atOnce: 2,
      isForPress: false,
      print: async (text: string, settings: Record<string, unknown>) => {
        drawn.push({ design: text, settings })
        return { path: '/spool/x', type: 'jpeg', warnings: [] }
      },
    },
    jobs: { abandoned: async () => [{ job, attempts }] },
    completer: { make: async (_guid: string, make: DrawFile) => made.push((await make(signal)).name) },
    failed: (error: unknown) => failures.push(error),
    minDpi: async () => 90,
    output: async () => ({ color: 'pdfx4' }),
    fileNames: { template: async () => '{number}-{item}', textsOf: async () => () => ({}) },
    orderOfJob: async () => {
      if (customization instanceof Error) throw customization
      return customization && { customization, findings: [] }
    },
  } as unknown as Services
  await drawnJobs(services).resume(signal)
  return { drawn, made, failures }
}

t.test('drawnJobs: an order that is the same is drawn as before, in its fifth attempt, too', async (t) => {
  const { drawn, made, failures } = await resumed(4)
  t.same(failures, [])
  t.same(made, ['order-7_3.jpg'])
  t.match(drawn, [
    {
      design,
      settings: {
        format: 'png',
        dpi: 150,
        cropMarks: false,
        includePictures: false,
        includeFonts: false,
        summary: false,
        minDpi: 90,
        output: { color: 'pdfx4' },
        isOnSheets: false,
        isBundle: false,
      },
    },
  ])
})

t.test('drawnJobs: the choice of the caller overrides the print profile', async (t) => {
  const { drawn } = await resumed(1, { color: 'rgb', pages: 'sheet', item_id: null, include_images: true })
  t.match(drawn[0]?.settings, {
    output: { color: 'rgb' },
    isOnSheets: true,
    isBundle: true,
    includePictures: true,
  })
  t.match((await resumed(1, { color: 'cmyk' })).drawn[0]?.settings, { output: { color: 'pdfx4' } })
  t.match((await resumed(1, { order_type: 'gf', item_id: null })).drawn[0]?.settings, { isBundle: false })
})

t.test('drawnJobs: after five attempts, or if the order has changed or is gone, the job fails', async (t) => {
  const failed = (message: RegExp) => [{ code: 'svc_render_failed', message }]
  t.match((await resumed(5)).failures, failed(/^5 attempts to draw the design were interrupted/))
  t.match((await resumed(1, {}, '[]')).failures, failed(/^The order changed before its file was drawn/))
  t.match((await resumed(1, { design: 'other' })).failures, failed(/^The order changed/))
  t.match((await resumed(1, { order_id: '' })).failures, failed(/^The order was removed/))
  t.same((await resumed(5)).drawn, [])
})

t.test(
  'drawnJobs: a job whose order cannot be read fails; while the database is out of reach it waits',
  async (t) => {
    const unreadable = unreadableValue({ table: 'wp_postmeta', row: 7, column: 'meta_value' })
    t.same((await resumed(1, {}, unreadable)).failures, [unreadable])
    await t.rejects(resumed(1, {}, unavailable('database-unreachable')), { code: 'svc_unavailable' })
  },
)

t.test('drawnJobs: a resolution that others have stored has its bounds', async (t) => {
  for (const dpi of [1, 2400]) t.match((await resumed(1, { dpi })).drawn, [{ settings: { dpi } }])
  for (const dpi of [0.5, 2401]) {
    const message = new RegExp(`^The resolution is ${dpi} dpi; it must be between 1 and 2400`)
    t.match((await resumed(1, { dpi })).failures, [{ code: 'svc_render_failed', message }])
  }
})
