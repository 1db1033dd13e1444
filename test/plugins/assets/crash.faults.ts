// A process that is killed in the middle of uploads leaves nothing that the next one would list by mistake.
import { readdirSync, statSync, utimesSync } from 'node:fs'
import t from 'tap'
import { png } from '../../support/fixtures/make-png.ts'
import { build } from '../../support/hosts/build.ts'
import { filePart } from '../../support/hosts/form.ts'
import { served } from '../../support/hosts/upload-serving.ts'

const rounds = Number(process.env.SVC_CRASHES ?? 3)

t.test('after a kill every listed asset is whole, and what is unfinished is swept away', async (t) => {
  const dir = t.testdir({})
  const { address, app } = await build(t)
  await app.close()
  const parts = [filePart('a.png', png({ width: 200, height: 200 }))]
  for (let round = 0; round < rounds; round++) {
    const { child, post } = await served(t, address, dir)
    const gone = new Promise((resolve) => child.once('exit', resolve))
    await (await post('/assets', parts)).text()
    // Killed while the others are at different steps.
    const others = Array.from({ length: 20 }, () => post('/assets', parts).catch(() => {}))
    await others[round % 4]
    child.kill('SIGKILL')
    await Promise.all([gone, ...others])
  }
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const unfinished = files.filter(({ name }) => name.startsWith('.'))
  for (const { parentPath, name } of unfinished) utimesSync(`${parentPath}/${name}`, 1e9, 1e9)
  const after = await build(t, { address, uploads: { dir, url: 'https://shop.example/uploads' } })
  const { body } = await after.call('GET', '/assets?limit=100')
  t.ok(body.data.length >= rounds)
  for (const { key, size } of body.data) t.equal(statSync(`${dir}/svc/uploads/${key}`).size, size, key)
  const names = () => readdirSync(dir, { recursive: true }).map(String)
  while (names().some((name) => name.includes('/.'))) await new Promise((resolve) => setImmediate(resolve))
  t.equal(body.meta.total, files.length - unfinished.length)
})
