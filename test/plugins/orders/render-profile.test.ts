// How the master print profile wants print files: `data.output`.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

await ensureCommands({ pdfinfo: 'poppler-utils', gs: 'ghostscript' })
const renderer = { profiles: { FOGRA39: '/usr/share/color/icc/ghostscript/default_cmyk.icc' } }
const info = async (path: string) => (await promisify(execFile)('pdfinfo', ['-box', path])).stdout

async function shop(t: Parameters<typeof renderShop>[0], output: unknown) {
  const { host, order, files } = await renderShop(t, 'SQLite', [viewWith(textElement('Hello'))], { renderer })
  const profile = { name: 'Press', is_master: true, data: { output } }
  t.match(await host.call('POST', '/print-profiles', profile), { status: 201 })
  return { order, files }
}

t.test('the output profile of the print profile makes the file a PDF/X-4', async (t) => {
  const { order, files } = await shop(t, { profile: 'FOGRA39', marks: false })
  t.match(await order(), { status: 201, body: { data: { status: 'completed' } } })
  const text = await info((await files())[0] ?? '')
  t.ok((await readFile((await files())[0] ?? '')).includes('GTS_PDFX'))
  // 75 by 50 mm with 3 mm of bleed, and no room for marks.
  t.match(text, /MediaBox: +0\.00 +0\.00 +229\.6\d +158\.7\d/)
})

t.test('without one, files are in RGB with the marks of the settings', async (t) => {
  for (const output of [undefined, 'FOGRA39', { color: 'cmyk', profile: 7, marks: 'no' }]) {
    const { order, files } = await shop(t, output)
    t.match(await order(), { status: 201, body: { data: { status: 'completed' } } })
    const text = await info((await files())[0] ?? '')
    t.notOk((await readFile((await files())[0] ?? '')).includes('GTS_PDFX'))
    t.notMatch(text, /MediaBox: +0\.00 +0\.00 +229/)
  }
})

t.test('an output profile that the host does not have is refused with its name', async (t) => {
  const { order } = await shop(t, { profile: '../secret.icc' })
  t.match(await order(), { status: 422, body: { message: /output profile "\.\.\/secret\.icc"/ } })
})
