// Hosts without the packages that read PDFs of customers: designs that show one are refused with the command that installs them.
import { registerHooks } from 'node:module'
import t from 'tap'
import { pdfPackages } from '../../../src/renderer/pdf-packages.ts'
import { pdf } from '../../support/fixtures/make-pdf.ts'
import { drawnPdf } from '../../support/render/pdf-designs.ts'

let missing = ''
registerHooks({
  resolve(name, context, next) {
    if (name === missing)
      throw Object.assign(new Error(`Cannot find ${name}`), { code: 'ERR_MODULE_NOT_FOUND' })
    return next(name, context)
  },
})

t.test('render: a PDF is refused while one of its packages is not installed', async (t) => {
  for (const name of pdfPackages) {
    missing = name
    for (const kind of ['print', 'preflight'] as const) {
      const { refusals } = await drawnPdf(pdf(), {}, { kind })
      t.strictSame(refusals, [
        'PDFs in designs need the packages @cantoo/pdf-lib and @hyzyla/pdfium; run "npm install @cantoo/pdf-lib @hyzyla/pdfium".',
      ])
    }
  }
  missing = ''
  t.strictSame((await drawnPdf(pdf())).refusals, [])
})
