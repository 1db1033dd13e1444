/** How far a run of tests is, and how long the rest will take: by the times of the last run, at first by the sizes of files. */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Seconds by file. */
export type Durations = Record<string, number>

// Beside the programs that the tests fetch, since `npm ci` empties node_modules.
const memory = join(tmpdir(), 'svc-tests-durations.json')

/** What the last runs took; nothing at first. */
export function rememberedDurations(): Durations {
  try {
    return JSON.parse(readFileSync(memory, 'utf8'))
  } catch {
    return {}
  }
}

/** Keeps the times of this run for the next one. */
export function rememberDurations(durations: Durations): void {
  writeFileSync(memory, JSON.stringify({ ...rememberedDurations(), ...durations }))
}

/** The test files that arguments of tap name, or all of a pattern. */
export function testFiles(root: string, named: readonly string[], pattern: string): string[] {
  return globSync(named.length > 0 ? [...named] : pattern, { cwd: root }).sort()
}

/** Seconds that a file takes for each byte, where nothing is known. */
const perByte = 1 / 800

/** What each file is expected to take. One that is new takes as long for its size as the others. */
export function expectedDurations(
  files: readonly { path: string; bytes: number }[],
  remembered: Durations,
): Map<string, number> {
  const known = files.filter(({ path }) => remembered[path] !== undefined)
  const bytes = known.reduce((sum, file) => sum + file.bytes, 0)
  const seconds = known.reduce((sum, { path }) => sum + (remembered[path] ?? 0), 0)
  const rate = bytes > 0 ? seconds / bytes : perByte
  return new Map(files.map(({ path, bytes }) => [path, remembered[path] ?? bytes * rate]))
}

export interface Progress {
  /** A file has ended. */
  done(path: string): void
  /** @param elapsed seconds since the first file began @example '[37 of 212 files, about 4 min left]' */
  text(elapsed: number): string
}

/** @param jobs how many files run at once */
export function progressOf(expected: ReadonlyMap<string, number>, jobs: number): Progress {
  const total = [...expected.values()].reduce((sum, seconds) => sum + seconds, 0)
  // Corrects the expectation by how fast this machine is, as soon as it has done a tenth of the work.
  const trust = total / 10
  const ended = new Set<string>()
  let work = 0
  return {
    done(path) {
      if (ended.has(path) || !expected.has(path)) return
      ended.add(path)
      work += expected.get(path) ?? 0
    },
    text(elapsed) {
      const pace = trust > 0 ? (elapsed + trust / jobs) / (work + trust) : 0
      return `[${ended.size} of ${expected.size} files, ${timeOf(Math.max(0, total - work) * pace)} left]`
    },
  }
}

const timeOf = (seconds: number): string =>
  seconds < 50 ? `about ${Math.ceil(seconds / 10) * 10} s` : `about ${Math.round(seconds / 60)} min`

/** The files with their sizes. */
export const withSizes = (root: string, files: readonly string[]) =>
  files.map((path) => ({ path, bytes: statSync(join(root, path)).size }))
