/** Runs PHP code in Debian's real php-cli, the other reader and writer of the stored values. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ensureCommands } from './debian.ts'

// Warnings go to stderr, so that they cannot pass as output. The code comes through a pipe of its own:
// an argument holds 128 kB at most, and stdin is the code's to read.
const settings = ['display_errors=stderr', 'log_errors=0', 'error_reporting=-1'].flatMap((line) => [
  '-d',
  line,
])
const main = 'eval(stream_get_contents(fopen("php://fd/3", "r")));'

/**
 * Runs `code` (without `<?php`) and returns its stdout as exact utf-8 text; other bytes reject.
 * `stdin` is what the code reads from `php://stdin`. A non-zero exit rejects with what stood on stderr.
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
  // Code that ends without reading its input closes the pipe early; its exit code is what counts.
  pipe.on('error', () => {})
  pipe.end(content)
}
