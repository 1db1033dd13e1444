// The first page of very many assets costs hardly more than that of few.
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { build, type Engine, onEachEngine } from '../support/build.ts'
import { png } from '../support/make-png.ts'

const many = Number(process.env.SVC_ASSETS ?? 100_000)
const few = 1000
const asked = 200

t.setTimeout(1_800_000)

/** A host whose folder holds so many files, after they have been indexed; and how long that took. */
async function filled(t: Test, engine: Engine, count: number) {
  const dir = t.testdir({})
  const folder = `${dir}/svc/uploads/2025/03`
  mkdirSync(folder, { recursive: true })
  let source = ''
  for (let i = 0; i < count; i++) {
    const path = `${folder}/file-${i}.png`
    // File systems bound the number of links to one file.
    if (i % 20_000 === 0) {
      source = path
      writeFileSync(path, png())
    } else linkSync(source, path)
  }
  const host = await build(t, { engine, uploads: { dir, url: 'https://shop.example/uploads' } })
  const start = performance.now()
  const first = await host.call('GET', '/assets')
  const answered = performance.now() - start
  for (let total = -1; total !== count; ) {
    const { status, body } = await host.call('GET', '/assets')
    if (status !== 200) throw new Error(`The list answers ${status}.`)
    total = body.meta.total
  }
  t.equal(first.status, 200)
  return { ...host, answered, indexed: performance.now() - start }
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

t.test(`page 1 of ${many} files takes less than twice the time of page 1 of ${few}`, (t) =>
  onEachEngine(t, async (t, engine) => {
    const large = await filled(t, engine, many)
    const small = await filled(t, engine, few)
    const times: { large: number[]; small: number[] } = { large: [], small: [] }
    for (let i = 0; i < asked; i++) {
      for (const [name, host] of [
        ['large', large],
        ['small', small],
      ] as const) {
        const start = performance.now()
        await host.call('GET', '/assets')
        times[name].push(performance.now() - start)
      }
    }
    const figures = { large: median(times.large), small: median(times.small) }
    t.comment(JSON.stringify({ engine, ...figures, answered: large.answered, indexed: large.indexed }))
    t.ok(figures.large < 2 * figures.small)
  }),
)
