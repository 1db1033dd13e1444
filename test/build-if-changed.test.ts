// `npm start` compiles only what has changed since the last build.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const program = resolve(import.meta.dirname, '../tools/build-if-changed.ts')
const build = `require('fs').appendFileSync('builds', 'x'); if (require('fs').existsSync('broken')) process.exit(2)`

/** A package that was built a minute ago, long after its sources were written. */
function checkout(t: Test) {
  const dir = t.testdir({
    'package.json': JSON.stringify({ scripts: { build: `node -e "${build}"` } }),
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
    'tsconfig.build.json': '{}',
    plugins: { 'index.ts': '', group: { 'index.ts': '' } },
    src: { 'a.ts': '', room: { 'b.ts': '' } },
    dist: { bundle: { 'index.js': '' } },
  })
  const age = (path: string, seconds: number) => {
    const time = Date.now() / 1000 - seconds
    utimesSync(join(dir, path), time, time)
  }
  /** Times of files are coarser than the clock: what changes right after a build may look as if it had come before. */
  const rest = () => {
    for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) age(path, 3600)
    age('dist/bundle/index.js', 60)
  }
  rest()
  return {
    dir,
    rest,
    /** Runs the program; the number of builds so far. */
    async start(): Promise<number> {
      await promisify(execFile)(process.execPath, [program], { cwd: dir })
      return existsSync(join(dir, 'builds')) ? readFileSync(join(dir, 'builds'), 'utf8').length : 0
    },
  }
}

t.test('a built checkout is not built again', async (t) => {
  const { start } = checkout(t)
  t.equal(await start(), 0)
  t.equal(await start(), 0)
})

t.test('a changed, added or removed source is built once', async (t) => {
  const { dir, rest, start } = checkout(t)
  writeFileSync(join(dir, 'src/room/b.ts'), '// changed')
  t.equal(await start(), 1)
  t.equal(await start(), 1)
  rest()
  writeFileSync(join(dir, 'plugins/group/new.ts'), '')
  t.equal(await start(), 2)
  rest()
  rmSync(join(dir, 'src/a.ts'))
  t.equal(await start(), 3)
  t.equal(await start(), 3)
})

t.test('a checkout without a build is built', async (t) => {
  const { dir, start } = checkout(t)
  rmSync(join(dir, 'dist'), { recursive: true })
  t.equal(await start(), 1)
})

t.test('a build that fails ends the start, and is repeated by the next one', async (t) => {
  const { dir, start } = checkout(t)
  writeFileSync(join(dir, 'broken'), '')
  writeFileSync(join(dir, 'src/a.ts'), '// broken')
  await t.rejects(start(), { code: 2 })
  await t.rejects(start(), { code: 2 })
  rmSync(join(dir, 'broken'))
  t.equal(await start(), 3)
  t.equal(await start(), 3)
})
