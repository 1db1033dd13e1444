// Tasks that wait or are drawn while the server closes.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { taskRunner } from '../../../src/renderer/task-runner.ts'
import { printTask } from '../../support/render/materials.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = JSON.stringify([viewWith(textElement('Ada'))])
const preview = { kind: 'preview', view: 0, width: 240, maxPixels: 1e6 } as const

for (const [kind, task] of Object.entries({
  preview,
  preflight: { ...printTask, kind: 'preflight' as const },
})) {
  t.test(`taskRunner.stop: a ${kind} that is being drawn is 503`, async (t) => {
    const tempDir = await mkdtemp(join(tmpdir(), 'svc-close-'))
    t.teardown(() => rm(tempDir, { recursive: true, force: true }))
    const fetching = Promise.withResolvers<void>()
    const fetchFonts = () => {
      fetching.resolve()
      return new Promise<never>(() => {})
    }
    const fetchPictures = async () => new Map()
    const settings = { tempDir, warn: () => {}, megabytes: 1024, jobs: 2, waiting: 10 }
    const runner = taskRunner({ ...settings, fetchFonts, fetchPictures })
    const options = { client: 'a', signal: new AbortController().signal, seconds: 60 }
    const result = runner.run(design, task, options, async () => 'done')
    await fetching.promise
    runner.stop()
    await t.rejects(result, { code: 'svc_unavailable', statusCode: 503, data: { reason: 'closing' } })
  })
}

t.test('taskRunner.run: as many tasks wait as the option `waiting` allows', async (t) => {
  const tempDir = await mkdtemp(join(tmpdir(), 'svc-waiting-'))
  t.teardown(() => rm(tempDir, { recursive: true, force: true }))
  const fetching = Promise.withResolvers<void>()
  const fetchPictures = (_names: readonly string[], { signal }: { signal: AbortSignal }) => {
    fetching.resolve()
    return new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    )
  }
  const fetchFonts = () => new Promise<never>(() => {})
  const settings = { tempDir, warn: () => {}, megabytes: 1024, jobs: 1, waiting: 600 }
  const runner = taskRunner({ ...settings, fetchFonts, fetchPictures })
  const { signal } = new AbortController()
  const reasons = Array.from({ length: 600 }, (_, i) =>
    runner
      .run(design, preview, { client: `order ${i}`, signal, seconds: 60 }, async () => 'done')
      .catch(({ data }) => data.reason),
  )
  await fetching.promise
  runner.stop()
  t.same([...new Set(await Promise.all(reasons))], ['closing'], 'none was refused for want of room')
})
