// The hostile corpus, file by file: rejected, or accepted with nothing hostile left.
import t from 'tap'
import { fileChecks } from '../../../src/files/accept.ts'
import { FileRejected } from '../../../src/files/rejected.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { canary, type HostileFile, hostileFiles } from '../../support/hostile/hostile-files.ts'
import { findings } from '../../support/hostile/svg-findings.ts'

const AT_ONCE = 8

t.test('every file of the hostile corpus is rejected or sanitized, as its manifest says', async (t) => {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  const files = await hostileFiles()
  t.ok(files.length >= 120, `${files.length} files`)

  const judge = async ({ name, upload, bytes, expected }: HostileFile): Promise<string | undefined> => {
    const file = { name: upload, read: async () => bytes }
    try {
      const accepted = await (name.startsWith('ttf-') ? checks.font(file) : checks.asset(file))
      if (expected === 'refused') return `${name} was accepted`
      const stored = Buffer.from(accepted.bytes)
      if (stored.includes(canary)) return `${name} still carries its payload`
      const found = upload.endsWith('.svg') ? findings(stored.toString()) : []
      return found.length > 0 ? `${name}: ${found.join(', ')}` : undefined
    } catch (error) {
      if (!(error instanceof FileRejected)) return `${name} failed: ${error}`
      return expected === 'refused' ? undefined : `${name} was refused: ${error.message}`
    }
  }

  const misses: string[] = []
  const left = files.values()
  const worker = async () => {
    for (const file of left) {
      const miss = await judge(file)
      if (miss) misses.push(miss)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  t.strictSame(misses, [])
  t.match(await checks.asset({ name: 'a.png', read: async () => png() }), { type: 'png' })
})
