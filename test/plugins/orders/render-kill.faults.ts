// Exports whose process is killed while it draws, and who goes on with them.
import t from 'tap'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { renderKills } from '../../support/render/render-kills.ts'
import {
  photoUrl,
  pictureElement,
  renderShop,
  textElement,
  uploadsUrl,
  viewWith,
} from '../../support/render/render-shop.ts'

const design = { product: [viewWith(pictureElement(photoUrl), textElement('Ada Lovelace'))] }

t.test('a process that is killed while it draws leaves one job and one file to those who go on', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { kills, status, jobs, files } = await renderKills(t, engine, [150, 700])
    t.equal(status, 'completed')
    t.ok(kills > 0)
    const completed = jobs.filter((job) => job.status === 'completed')
    t.same(
      { completed: completed.length, files: files.length },
      { completed: jobs.length, files: jobs.length },
    )
  }),
)

t.test('a job that nobody asks for again is drawn when a process starts', async (t) => {
  const { host, order, dir, tempDir } = await renderShop(t, 'SQLite', design)
  const { print_job_id: guid } = (await order()).body.data
  await host.db
    .updateTable(host.t.print_jobs)
    .set({ status: 'processing' })
    .where('guid', '=', guid)
    .execute()
  await host.db.updateTable(host.t.print_job_steps).set({ step: '', file: null, lease_until: 0 }).execute()
  const next = await build(t, {
    address: host.address,
    uploads: { dir, url: uploadsUrl },
    printReady: { tempDir },
    renderer: true,
  })
  const statusOf = async () => (await next.call('GET', `/print-jobs/${guid}`)).body.data.status
  const until = Date.now() + 60_000
  while ((await statusOf()) !== 'completed' && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 200))
  t.equal(await statusOf(), 'completed')
})
