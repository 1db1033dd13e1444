// A process that dies at any step of an upload or deletion of a font leaves files and offer apart for half a minute at most.
import t from 'tap'
import { passSecond } from '../support/fixtures/clock.ts'
import { font } from '../support/fixtures/make-font.ts'
import { build, onEachEngine } from '../support/hosts/build.ts'
import { upload } from '../support/hosts/form.ts'
import { storedOption } from '../support/hosts/options.ts'
import { diesAt, maxSteps } from '../support/load/step-worker.ts'

// Every step is a process of its own; each engine takes every second one.
t.setTimeout(300_000)

const uploadsIn = (dir: string) => ({ uploads: { dir, url: 'https://shop.example/uploads' } })

for (const work of ['store font', 'remove font'] as const) {
  t.test(`after a kill at any step of "${work}", files and offer agree within half a minute`, (t) =>
    onEachEngine(t, async (t, engine) => {
      const dir = t.testdir({})
      const host = await build(t, { engine, ...uploadsIn(dir) })
      const { db, t: names } = host
      let kills = 0
      for (let step = engine === 'SQLite' ? 1 : 2, died = true; died && step < maxSteps; step += 2) {
        const family = `Font${step}`
        if (work === 'remove font') await upload(host, '/fonts', `${family}.ttf`, font())
        died = await diesAt({ address: host.address, dir, step, work: { do: work, family } })
        if (died) kills++
        // Half a minute later.
        const note = JSON.parse((await storedOption(host, 'svc_fonts_unfinished')) || '{}')
        const old = Object.fromEntries(Object.keys(note).map((name) => [name, 1]))
        await db
          .updateTable(names.options)
          .set({ option_value: JSON.stringify(old) })
          .where('option_name', '=', 'svc_fonts_unfinished')
          .execute()
        passSecond()
        const { body } = await host.call('GET', '/fonts')
        const isThere = body.data.some(({ name }: { name: string }) => name === family)
        const offered = (await storedOption(host, 'svc_fonts_directory')) ?? ''
        t.equal(offered.includes(`"${family}.ttf"`), isThere, `step ${step}`)
      }
      t.equal(await storedOption(host, 'svc_fonts_unfinished'), '{}')
      t.ok(kills >= 4, `${kills} steps`)
    }),
  )
}

t.test('a font that the shop does not offer stays so', async (t) => {
  const host = await build(t, uploadsIn(t.testdir({})))
  await upload(host, '/fonts', 'A.ttf', font())
  await host.call('PATCH', '/settings', { svc_fonts_directory: [] })
  passSecond()
  t.equal((await host.call('GET', '/fonts')).body.data.length, 1)
  t.notMatch(await storedOption(host, 'svc_fonts_directory'), 'A.ttf')
})
