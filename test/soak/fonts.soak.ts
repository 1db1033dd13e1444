// Fonts of Debian, whole and damaged: what is accepted of them, printed, and taken by the sanitizer of browsers.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fileChecks } from '../../src/files/accept.ts'
import { FileRejected } from '../../src/files/rejected.ts'
import { debianFiles, debianTool } from '../support/debian.ts'
import { printTask, renderHere } from '../support/render/materials.ts'
import { textElement, viewWith } from '../support/render/render-shop.ts'

const MUTATED = 500

const checks = fileChecks()
t.teardown(() => checks.close())

/** What is stored. */
const ours = (bytes: Buffer) =>
  checks.font({ name: 'Odd.ttf', read: async () => bytes }).then(
    (accepted) => Buffer.from(accepted.bytes),
    (error) => {
      if (error instanceof FileRejected) return undefined
      throw error
    },
  )

const theirs = (file: string) => {
  const { status, error } = spawnSync(debianTool('ots-sanitize', 'opentype-sanitizer'), [file, '/dev/null'])
  if (error) throw error
  return status === 0
}

/** Reproducible random numbers below a bound. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >>> 8) % below
  }
}

/** Overwrites up to three bytes of the directory or of one table, or truncates the file. */
function mutated(sound: Buffer, below: (below: number) => number): Buffer {
  const bytes = Buffer.from(sound)
  const tables = bytes.readUInt16BE(4)
  const kind = below(12)
  if (kind === 0) return bytes.subarray(0, below(bytes.length))
  if (kind === 1) {
    bytes[12 + below(16 * tables)] = below(256)
    return bytes
  }
  const entry = 12 + 16 * below(tables)
  const [offset, length] = [bytes.readUInt32BE(entry + 8), bytes.readUInt32BE(entry + 12)]
  for (let count = 1 + below(3); count > 0; count--) {
    const at = offset + below(kind < 7 ? Math.min(length, 60) : length)
    if (at < bytes.length) bytes[at] = below(2) ? below(256) : 255
  }
  return bytes
}

t.setTimeout(900_000)

t.test('sound fonts are accepted, and damaged ones are refused, printed, or refused in print', async (t) => {
  const folder = t.testdir()
  const fonts = debianFiles(folder, ['fonts-dejavu-extra', 'fonts-liberation'], '*.ttf')
  const scratch = join(folder, 'scratch.ttf')
  const isTaken = (bytes: Buffer) => {
    writeFileSync(scratch, bytes)
    return theirs(scratch)
  }
  const unsound: string[] = []
  for (const file of fonts) {
    const stored = await ours(readFileSync(file))
    if (!stored || !isTaken(stored)) unsound.push(file)
  }
  t.strictSame(unsound, [], `${fonts.length} sound fonts, which browsers take`)

  const counts = { refused: 0, printed: 0, 'refused in print': 0, 'not taken by browsers': 0 }
  const below = random(7)
  const view = viewWith(textElement('AVA fi', { fontFamily: 'Odd' }))
  for (let count = 0; count < MUTATED; count++) {
    const stored = await ours(mutated(readFileSync(fonts[below(fonts.length)] ?? ''), below))
    if (!stored) {
      counts.refused++
      continue
    }
    const font = { family: 'Odd', bold: false, italic: false, bytes: stored }
    const { outcome } = await renderHere(printTask, [view], [font], {})
    counts[outcome.kind === 'done' ? 'printed' : 'refused in print']++
    if (!isTaken(stored)) counts['not taken by browsers']++
  }
  t.comment(JSON.stringify(counts))
  t.ok(counts.printed > 0 && counts.refused > 0)
})
