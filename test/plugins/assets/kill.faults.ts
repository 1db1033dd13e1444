// A process that dies at any step of a deletion of an asset leaves nothing that comes back.
import { existsSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'
import { passSecond } from '../../support/fixtures/clock.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { diesAt, maxSteps } from '../../support/load/step-worker.ts'

// Every step is a process of its own.
t.setTimeout(300_000)

const uploadsIn = (dir: string) => ({ uploads: { dir, url: 'https://shop.example/uploads' } })

t.test('an asset is deleted by a repeat at another process, wherever the first one was killed', (t) =>
  onEachEngine(t, async (t, engine) => {
    const dir = t.testdir({})
    const host = await build(t, { engine, ...uploadsIn(dir) })
    const { db, t: names } = host
    const listed = async () => {
      passSecond()
      return (await host.call('GET', '/assets?limit=100')).body.data.map(({ key }: { key: string }) => key)
    }
    let kills = 0
    for (let step = 1, died = true; died && step < maxSteps; step++) {
      const { body } = await upload(host, '/assets', 'a.png', png())
      const { key } = body.data
      // As long as the folder stays as it is, it is not read again.
      utimesSync(dirname(`${dir}/svc/uploads/${key}`), 1e9, 1e9)
      await listed()
      died = await diesAt({ address: host.address, dir, step, work: { do: 'remove asset', key } })
      if (died) kills++
      const repeat = await host.call('DELETE', `/assets/${encodeURIComponent(key)}`)
      t.ok([200, 404].includes(repeat.status), `step ${step}`)
      // The time after which a mark belongs to no living process.
      await db.updateTable(names.assets).set({ modified: 1 }).where('storage', '=', 'deleted').execute()
      for (let i = 0; i < 20; i++) passSecond()
      const other = (await upload(host, '/assets', 'b.png', png())).body.data.key
      t.notOk((await listed()).includes(key))
      t.notOk(existsSync(`${dir}/svc/uploads/${key}`), 'the file is gone')
      t.same(await db.selectFrom(names.assets).select('key').execute(), [{ key: other }], 'and its row')
      await host.call('DELETE', `/assets/${encodeURIComponent(other)}`)
    }
    t.ok(kills >= 5, `${kills} steps`)
  }),
)

t.test('of two processes that delete one asset, one answers 200 and the other 404', (t) =>
  onEachEngine(t, async (t, engine) => {
    const dir = t.testdir({})
    const one = await build(t, { engine, ...uploadsIn(dir) })
    const other = await build(t, { address: one.address, ...uploadsIn(dir) })
    for (let round = 0; round < 15; round++) {
      const { body } = await upload(one, '/assets', 'a.png', png())
      const path = `/assets/${encodeURIComponent(body.data.key)}`
      passSecond()
      // A list that meets the file when it is gone already drops its row.
      const lists = [one, other].map(({ call }) => call('GET', '/assets'))
      const deletes = await Promise.all([one, other, one, other].map(({ call }) => call('DELETE', path)))
      await Promise.all(lists)
      t.same(deletes.map(({ status }) => status).sort(), [200, 404, 404, 404])
      t.notOk(existsSync(`${dir}/svc/uploads/${body.data.key}`))
    }
  }),
)
