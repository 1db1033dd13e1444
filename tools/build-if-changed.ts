// Builds the package unless the last build is younger than all that goes into it, so that `npm start` need not compile.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Written last by every build. */
const stamp = 'dist/bundle/index.js'
const folders = ['plugins', 'src']
const files = [
  'package.json',
  'package-lock.json',
  'openapi.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tools/bundle.ts',
  'tools/declarations.ts',
  'tools/generate/client.ts',
  'tools/generate/design-types.ts',
]

/** Milliseconds since 1970; 0 if there is no such file. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Folders count, too: their time is that of the last file that was added, renamed or removed. */
function isYoungerThan(time: number, folder: string): boolean {
  if (changedAt(folder) > time) return true
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? isYoungerThan(time, path) : changedAt(path) > time
  })
}

const built = changedAt(stamp)
if (folders.some((folder) => isYoungerThan(built, folder)) || files.some((file) => changedAt(file) > built)) {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' })
  // After an error it may be as young as the sources.
  if (existsSync(stamp)) utimesSync(stamp, new Date(), status === 0 ? new Date() : new Date(0))
  process.exitCode = status ?? 1
}
