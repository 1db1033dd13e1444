// commands.md: what each command says of itself with `--help`.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { block, pageHead } from './markdown.ts'

const run = promisify(execFile)

async function helpOf(root: string, args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(root, 'src/cli/run.ts'), ...args, '--help'], {
    env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' },
  })
  // The page belongs to the version that carries it.
  return stdout.trimEnd().replace(/^svc-api \d\S*:/, 'svc-api:')
}

export async function commandsPage(root: string): Promise<string> {
  const overview = await helpOf(root, [])
  const names = [...overview.matchAll(/^ {2}([a-z][a-z-]+) +/gm)].map(([, name = '']) => name)
  const sections: string[] = []
  for (const name of names) sections.push(`## ${name}\n\n${block('text', await helpOf(root, [name]))}`)
  const text = `\`npx svc-api <command>\` runs in the environment of the installation: [Environment](environment.md). Results go to
stdout, progress and problems to stderr.

${block('text', overview)}`
  return `${pageHead('Commands', 'their `--help`', text)}\n${sections.join('\n')}`
}
