// Compares our checks with the OpenType Sanitizer on valid and damaged fonts.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkTrueType } from '../../src/files/font/check.ts'
import { debianFiles, debianTool } from '../support/debian.ts'

const MUTATED = 500
const AGREEMENT = 0.9

const ours = (bytes: Buffer) => {
  try {
    checkTrueType(bytes)
    return true
  } catch {
    return false
  }
}

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
function mutated(sound: Buffer, below: (below: number) => number): [what: string, bytes: Buffer] {
  const bytes = Buffer.from(sound)
  const tables = bytes.readUInt16BE(4)
  const kind = below(12)
  if (kind === 0) return ['cut', bytes.subarray(0, below(bytes.length))]
  if (kind === 1) {
    bytes[12 + below(16 * tables)] = below(256)
    return ['directory', bytes]
  }
  const entry = 12 + 16 * below(tables)
  const [offset, length] = [bytes.readUInt32BE(entry + 8), bytes.readUInt32BE(entry + 12)]
  for (let count = 1 + below(3); count > 0; count--) {
    const at = offset + below(kind < 7 ? Math.min(length, 60) : length)
    if (at < bytes.length) bytes[at] = below(2) ? below(256) : 255
  }
  return [bytes.toString('latin1', entry, entry + 4), bytes]
}

t.setTimeout(900_000)

t.test('both accept valid fonts, and nearly always agree on damaged ones', async (t) => {
  const folder = t.testdir()
  const fonts = debianFiles(folder, ['fonts-dejavu-extra', 'fonts-liberation'], '*.ttf')
  const refused = fonts.filter((file) => !ours(readFileSync(file)) && theirs(file))
  t.strictSame(refused, [], `${fonts.length} sound fonts`)

  const table = { bothAccept: 0, bothRefuse: 0, onlyOursRefuses: 0, onlyTheirsRefuses: 0 }
  const differing = new Map<string, number>()
  const below = random(7)
  const scratch = join(folder, 'mutated.ttf')
  for (let count = 0; count < MUTATED; count++) {
    const [what, bytes] = mutated(readFileSync(fonts[below(fonts.length)] ?? ''), below)
    writeFileSync(scratch, bytes)
    const [we, they] = [ours(bytes), theirs(scratch)]
    if (we === they) table[we ? 'bothAccept' : 'bothRefuse']++
    else {
      table[we ? 'onlyTheirsRefuses' : 'onlyOursRefuses']++
      differing.set(what, (differing.get(what) ?? 0) + 1)
    }
  }
  t.comment(JSON.stringify({ ...table, differing: Object.fromEntries(differing) }))
  t.ok((table.bothAccept + table.bothRefuse) / MUTATED >= AGREEMENT)
})
