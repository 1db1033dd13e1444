// Honest files out of Debian packages, fetched with the system's own tool and unpacked into a folder of the test.
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Unpacks the packages into the folder and lists the files that match the pattern. Fails where apt-get is missing. */
export function debianFiles(folder: string, packages: readonly string[], pattern: string): string[] {
  const run = (command: string, ...parameters: string[]) =>
    execFileSync(command, parameters, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000 })
  run('apt-get', 'download', ...packages)
  for (const archive of globSync('*.deb', { cwd: folder })) run('dpkg-deb', '-x', archive, 'unpacked')
  return globSync(`unpacked/**/${pattern}`, { cwd: folder })
    .map((file) => join(folder, file))
    .sort()
}

/** Makes sure that a tool is there, and installs its package where it is not. */
export function debianTool(command: string, name: string): string {
  if (spawnSync(command, ['--version']).error) {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], {
      stdio: 'ignore',
      timeout: 300_000,
    })
  }
  return command
}
