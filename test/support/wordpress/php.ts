/** Runs PHP code in Debian's php-cli, since PHP also reads and writes the stored values. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ensureCommands } from '../debian.ts'

// Warnings go to stderr, so that they cannot pass as output. The code comes through a pipe of its own:
// an argument is limited to 128 kB, and stdin belongs to the code.
const settings = ['display_errors=stderr', 'log_errors=0', 'error_reporting=-1'].flatMap((line) => [
  '-d',
  line,
])
const main = 'eval(stream_get_contents(fopen("php://fd/3", "r")));'

/**
 * Runs `code` (without `<?php`) and returns its stdout as exact utf-8 text; other bytes reject.
 * `stdin` is what the code reads from `php://stdin`. A non-zero exit code rejects with the content of stderr.
 */
export async function php(code: string, stdin = ''): Promise<string> {
  const commands = await ensureCommands({ php: 'php-cli' })
  const child = spawn(commands.php, [...settings, '-r', main], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  feed(child.stdin, stdin)
  feed(child.stdio[3] as Writable, code)
  const [[status, signal], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    buffer(child.stdout),
    buffer(child.stderr),
  ])
  if (status !== 0) throw new Error(`php ended with ${signal ?? status}: ${stderr.toString().trim()}`)
  // A byte order mark is part of the output, and a byte that is not utf-8 must not turn into U+FFFD.
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(stdout)
}

function feed(pipe: Writable, content: string) {
  // Code that does not read its input closes the pipe early; only its exit code counts.
  pipe.on('error', () => {})
  pipe.end(content)
}
