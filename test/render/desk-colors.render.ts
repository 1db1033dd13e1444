// The choice of color on the desk, where the host has configured the profile of a press.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { deskShop } from '../support/hosts/desk.ts'
import { textElement, viewWith } from '../support/render/render-shop.ts'

const profile = '/usr/share/color/icc/ghostscript/default_cmyk.icc'
const design = { product: [viewWith(textElement('Ada', { fill: '#cc0000' }))] }

t.before(() => ensureCommands({ gs: 'ghostscript' }))

t.test('the form offers RGB beside the profile, and prints and retries what was chosen', async (t) => {
  const { client, host, id, order, files, only } = await deskShop(t, 'SQLite', design, {
    renderer: { color: 'pdfx4', profile },
  })
  const page = await client.get(`order?type=wc&id=${id}`)
  t.same(page.texts('[name=color] option'), ['Color profile (CMYK)', 'RGB'])
  await client.submit(page, 'print', { color: 'rgb' })
  while ((await files()).length === 0) await new Promise((resolve) => setTimeout(resolve, 100))
  t.notMatch((await only()).toString('latin1'), '/OutputIntents')
  const job = (await host.call('GET', '/print-jobs')).body.data[0]
  t.equal(job.details.color, 'rgb')
  t.match((await client.get('queue')).texts('.jobs').join(), /PDF, 300 dpi, RGB/)
  await host.db.updateTable(host.t.print_jobs).set({ status: 'failed' }).execute()
  const again = await host.call('POST', `/print-jobs/${job.guid}/retry`)
  t.equal(again.body.data.details.color, 'rgb')
  for (const body of [{ color: 'cmyk' }, {}]) {
    const made = await order(body)
    t.equal(made.body.data.status, 'completed')
  }
  const all = await files()
  const texts = await Promise.all(all.map(async (file) => (await readFile(file)).toString('latin1')))
  t.ok(texts.some((text) => text.includes('/OutputIntents')))
})
