// What `svc-api mcp` reads from the folder for uploads while others change that folder.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { symlink, truncate, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { uploadFolder } from '../../../src/cli/upload-file.ts'
import { png } from '../../support/fixtures/make-png.ts'

const inside = png({ width: 1, height: 1 })
const outside = png({ width: 2, height: 2 })

/** Exchanges a folder and a link that leads out of the uploads, as fast as it can. */
const exchanger = `
import { renameSync } from 'node:fs'
const [folder, link, aside] = process.argv.slice(2)
for (;;) {
  for (const [from, to] of [[folder, aside], [link, folder], [folder, link], [aside, folder]]) renameSync(from, to)
}`

/** @returns what ends it; tap removes the folder of a test before its teardowns run */
async function exchanging(dir: string): Promise<() => Promise<unknown>> {
  await writeFile(`${dir}/exchange.mjs`, exchanger)
  const child = fork(`${dir}/exchange.mjs`, [`${dir}/files/a`, `${dir}/files/link`, `${dir}/files/aside`])
  const ended = once(child, 'exit')
  await once(child, 'spawn')
  return () => {
    child.kill('SIGKILL')
    return ended
  }
}

t.test('a folder that turns into a link between check and read leads nowhere else', async (t) => {
  const dir = t.testdir({ files: { a: { 'x.png': inside } }, outside: { 'x.png': outside } })
  await symlink(`${dir}/outside`, `${dir}/files/link`)
  const read = await uploadFolder(`${dir}/files`)
  const stop = await exchanging(dir)
  const sizes = new Set<number>()
  let refused = 0
  for (const until = performance.now() + 2000; performance.now() < until; )
    await read('a/x.png', 'asset').then(
      ({ file }) => sizes.add(file.length),
      () => refused++,
    )
  await stop()
  t.same([...sizes], [inside.length], 'it was read at times, and nothing else')
  t.ok(refused > 0)
})

t.test('of a large file that is not what its name says, only the beginning is read', async (t) => {
  const dir = t.testdir({ 'large.png': 'text' })
  await truncate(`${dir}/large.png`, 200 * 1024 * 1024)
  const read = await uploadFolder(dir)
  const { arrayBuffers } = process.memoryUsage()
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - arrayBuffers)
  }, 1)
  await t.rejects(read('large.png', 'asset'), /the content is of another type/)
  await delay(5)
  clearInterval(timer)
  t.ok(most < 50 * 1024 * 1024, `${most} bytes`)
})
