// Delivery of finished print files into a folder, and to an SFTP server.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { DeliverOptions } from '../../../src/print/delivery-options.ts'
import { build, onEachDialect, type TestHost } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { sftpServer } from '../../support/peers/sftp-server.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada Lovelace'))] }

async function hotFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-hot-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const shopWith = (t: Test, engine: Parameters<typeof deskShop>[1], deliver: DeliverOptions) =>
  deskShop(t, engine, design, { deliver, migrate: true })

const rowsOf = ({ db, t }: TestHost) =>
  db.selectFrom(t.print_deliveries).selectAll().orderBy('job_id').execute()

/** Waits until a condition holds. */
async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const delivered = (host: TestHost, count = 1) =>
  until(
    () => rowsOf(host),
    (rows) => rows.length === count && rows.every(({ state }) => state === 'delivered'),
  )

/** Makes what failed due now. */
const hurry = ({ db, t }: TestHost) =>
  db.updateTable(t.print_deliveries).set({ next_at: 0, lease_until: 0 }).execute()

t.test('deliver.folder: finished files appear once, whole, in folders by date and product', (t) =>
  onEachDialect(t, async (t, engine) => {
    const folder = await hotFolder(t)
    const { host, order, id, item, only, client } = await shopWith(t, engine, {
      folder,
      path: '{date}/{product}/{status}',
    })
    const { body } = await order()
    await delivered(host)
    const place = join(folder, '2026-04-29/Shirt/processing')
    t.strictSame(await readdir(place), [`${id}-${item}.pdf`])
    t.ok((await readFile(join(place, `${id}-${item}.pdf`))).equals(await only()))
    await order({ dpi: 100 })
    await delivered(host, 2)
    t.strictSame((await readdir(place)).sort(), [`${id}-${item}-2.pdf`, `${id}-${item}.pdf`])
    const page = await client.get(`order?type=wc&id=${id}`)
    t.match(page.texts('.jobs').join(), `Delivered as 2026-04-29/Shirt/processing/${id}-${item}.pdf`)
    t.equal((await host.call('DELETE', `/print-jobs/${body.data.print_job_id}`)).status, 200)
    t.equal((await rowsOf(host)).length, 1)
  }),
)

t.test(
  'deliver.folder: a missing folder is not made, is seen on the desk and /system, and is tried again',
  (t) =>
    onEachDialect(t, async (t, engine) => {
      const root = await hotFolder(t)
      const folder = join(root, 'drive')
      const { host, order, id, item, client } = await shopWith(t, engine, { folder })
      t.equal((await order()).body.data.status, 'completed')
      await until(
        () => rowsOf(host),
        ([row]) => Number(row?.attempts) === 1,
      )
      t.strictSame(await readdir(root), [], 'a network drive that is not mounted')
      const reason = 'The folder for deliveries does not exist.'
      t.match((await client.get(`order?type=wc&id=${id}`)).texts('.jobs').join(), reason)
      const { body } = await host.call('GET', '/system')
      t.match(body.data.deliveries, { waiting: 1, failing: 1, failed: 0, last_error: reason })
      await mkdir(folder)
      const sent = await client.submit(await client.get('queue'), 'deliver')
      t.equal(sent.headers.location, 'queue?said=deliver')
      await delivered(host)
      t.strictSame(await readdir(folder), [`${id}-${item}.pdf`])
    }),
)

t.test(
  'deliver.folder: after a crash behind the rename nothing is delivered again, and before it the file is renamed',
  async (t) => {
    const folder = await hotFolder(t)
    const { host, order, id, item } = await shopWith(t, 'SQLite', { folder })
    await order()
    const [row] = await delivered(host)
    const name = `${id}-${item}.pdf`
    const job = await host.db.selectFrom(host.t.print_jobs).select(['ID', 'guid']).executeTakeFirstOrThrow()
    const again = async () => {
      await host.db.updateTable(host.t.print_deliveries).set({ state: 'pending', lease_until: 1 }).execute()
      await delivered(host)
    }
    t.equal(row?.path, name)
    // The press has taken the file.
    await rm(join(folder, name))
    await again()
    t.strictSame(await readdir(folder), [])
    await writeFile(join(folder, `.svc-${job.ID}-${job.guid.slice(0, 8)}.part`), 'whole')
    await again()
    t.strictSame(await readdir(folder), [name])
    t.equal(await readFile(join(folder, name), 'utf8'), 'whole')
  },
)

t.test('deliver.folder: after a crash while the file was written it is written anew', async (t) => {
  const folder = await hotFolder(t)
  const { host, order, id, item, only } = await shopWith(t, 'SQLite', { folder })
  await order()
  await delivered(host)
  const job = await host.db.selectFrom(host.t.print_jobs).select(['ID', 'guid']).executeTakeFirstOrThrow()
  const name = join(folder, `${id}-${item}.pdf`)
  await rename(name, join(folder, `.svc-${job.ID}-${job.guid.slice(0, 8)}.part`))
  await writeFile(join(folder, `.svc-${job.ID}-${job.guid.slice(0, 8)}.part`), 'half')
  await host.db
    .updateTable(host.t.print_deliveries)
    .set({ state: 'pending', path: '', lease_until: 1 })
    .execute()
  await delivered(host)
  t.equal((await stat(name)).size, (await only()).length)
})

t.test(
  'deliver.sftp: files are uploaded under a temporary name and renamed; a refused rename is repeated',
  (t) =>
    onEachDialect(t, async (t, engine) => {
      const root = await hotFolder(t)
      await mkdir(join(root, 'in'))
      const { options, calls, failures } = await sftpServer(t, root)
      failures.renames = 1
      const { host, order, id, item, only } = await shopWith(t, engine, {
        sftp: { ...options, folder: 'in' },
        path: '{product}',
      })
      await order()
      await until(
        () => rowsOf(host),
        ([row]) => Number(row?.attempts) === 1,
      )
      await hurry(host)
      await delivered(host)
      t.strictSame(await readdir(join(root, 'in/Shirt')), [`${id}-${item}.pdf`])
      t.ok((await readFile(join(root, 'in/Shirt', `${id}-${item}.pdf`))).equals(await only()))
      t.equal(calls.filter((call) => call.startsWith('open')).length, 1, 'it is uploaded once')
      t.match(calls[0], /^open in\/Shirt\/\.svc-\d+-[0-9a-f]{8}\.part$/)
      t.match(calls.at(-1), /^rename .*\.part .*\.pdf$/)
    }),
)

t.test(
  'deliver.sftp: a wrong password, another key of the server and an unknown folder are reasons',
  async (t) => {
    const root = await hotFolder(t)
    const { options } = await sftpServer(t, root)
    const other = `SHA256:${'A'.repeat(43)}`
    const reasons: [object, RegExp][] = [
      [{ password: 'wrong' }, /refused the login/],
      [{ hostKey: other }, /has another key than deliver\.sftp\.hostKey says/],
      [{ folder: 'nowhere' }, /does not exist on the SFTP server/],
    ]
    for (const [change, reason] of reasons) {
      const { host, order } = await shopWith(t, 'SQLite', { sftp: { ...options, ...change } })
      await order()
      const [row] = await until(
        () => rowsOf(host),
        ([found]) => Number(found?.attempts) === 1,
      )
      t.match(row?.error, reason)
      t.notMatch(row?.error, 'wrong')
    }
  },
)

t.test('option deliver: a folder or a server, with a known template; its table must exist', async (t) => {
  const folder = await hotFolder(t)
  await t.rejects(build(t, { deliver: {} }), /deliver: must be an object with folder or sftp/)
  await t.rejects(build(t, { deliver: { folder, path: '{nowhere}' } }), /deliver\.path: must be a template/)
  const sftp = { host: 'press.example', username: 'x', hostKey: `SHA256:${'A'.repeat(43)}` }
  await t.rejects(build(t, { deliver: { sftp } }), /deliver\.sftp: needs a password or a privateKey/)
  await t.rejects(
    build(t, { deliver: { sftp: { ...sftp, hostKey: 'x' } } }),
    /deliver\.sftp\.hostKey: must be/,
  )
  await t.rejects(
    build(t, { deliver: { folder, sftp: { ...sftp, password: '' } } }),
    /deliver: must be an object with folder or sftp/,
  )
})
