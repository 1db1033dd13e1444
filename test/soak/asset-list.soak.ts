// The first page of very many assets takes hardly longer than that of few.
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { png } from '../support/fixtures/make-png.ts'
import { build, type Engine, engineNames } from '../support/hosts/build.ts'

const many = Number(process.env.SVC_ASSETS ?? 100_000)
const few = 1000
const dropped = 10_000
const asked = 200

t.setTimeout(1_800_000)

/** Hard links to one picture; file systems limit their number. */
function fill(folder: string, count: number) {
  mkdirSync(folder, { recursive: true })
  let source = ''
  for (let i = 0; i < count; i++) {
    const path = `${folder}/file-${i}.png`
    if (i % 20_000 === 0) {
      source = path
      writeFileSync(path, png())
    } else linkSync(source, path)
  }
}

/** A host whose folder contains this many files, after they have been indexed, and how long that took. */
async function filled(t: Test, engine: Engine, count: number) {
  // Not tap's testdir, since a test has only one.
  const dir = mkdtempSync(join(tmpdir(), 'svc-assets-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  fill(`${dir}/svc/uploads/2025/03`, count)
  const host = await build(t, { engine, uploads: { dir, url: 'https://shop.example/uploads' } })
  /** Milliseconds until the first response, and until the list contains all files. */
  const listed = async (count: number) => {
    const start = performance.now()
    let firstResponse = 0
    for (let total = -1; total !== count; firstResponse ||= performance.now() - start) {
      const { status, body } = await host.call('GET', '/assets')
      if (status !== 200) throw new Error(`The list responds with ${status}.`)
      total = body.meta.total
    }
    return { firstResponse, indexed: performance.now() - start }
  }
  return { ...host, dir, listed, first: await listed(count) }
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

for (const engine of engineNames) {
  t.test(
    `page 1 of ${many} files takes less than twice the time of page 1 of ${few}: ${engine}`,
    async (t) => {
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
      fill(`${large.dir}/svc/uploads/2025/04`, dropped)
      const more = await large.listed(many + dropped)
      t.comment(JSON.stringify({ engine, ...figures, first: large.first, more }))
      t.equal(
        (await large.call('GET', '/assets')).body.meta.total,
        many + dropped,
        'each host has kept its own files',
      )
      t.ok(figures.large < 2 * figures.small)
      t.ok(more.firstResponse < 5000)
    },
  )
}
