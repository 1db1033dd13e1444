// The outside clients that `npm test mcp` checks the tools for agents with: the official inspector and conformance suite.
import { type ExecFileException, execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
const pinned = join(root, 'tools/mcp-clients')
// Not among the development dependencies: they are larger than all of those that a build needs.
const folder = join(root, 'node_modules/.cache/mcp-clients')

export interface McpClients {
  inspector: string
  conformance: string
}

/** Paths of the programs, which are installed when they are missing or of other versions. */
export async function mcpClients(): Promise<McpClients> {
  const state = hash('sha256', await readFile(join(pinned, 'package-lock.json')))
  const stamp = join(folder, 'installed')
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== state) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await cp(pinned, folder, { recursive: true })
    const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    const { code, stderr } = await run('npm', ['ci', ...options], { cwd: folder })
    if (code !== 0) throw new Error(`npm ci failed: ${stderr}`)
    await writeFile(stamp, state)
  }
  const bin = join(folder, 'node_modules/.bin')
  return { inspector: join(bin, 'mcp-inspector'), conformance: join(bin, 'conformance') }
}

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program for two minutes at most, without the loaders that tap hands down. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Outcome> {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  return new Promise((done) => {
    const options = {
      cwd,
      env: { ...inherited, ...env },
      timeout: 120_000,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 16 * 1024 * 1024,
    }
    execFile(program, args, options, (error: ExecFileException | null, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    )
  })
}
