// Checks that do what the file says: die, loop, or allocate memory.
import { serve } from '../../../src/workers/child.ts'

/** Nothing is returned before the signal arrives. */
function ended(signal: NodeJS.Signals) {
  process.kill(process.pid, signal)
  return new Promise(() => {})
}

const endings: Readonly<Record<string, () => unknown>> = {
  exit: () => process.exit(1),
  kill: () => ended('SIGKILL'),
  crash: () => ended('SIGSEGV'),
  broken: () => ({ broken: 'Error: a fault\n    at odd-checks' }),
  loop() {
    for (;;) Math.random()
  },
  memory() {
    for (const eaten: unknown[] = []; ; ) eaten.push(Array(1e6).fill(eaten.length))
  },
}

serve({
  pdf: async () => (bytes: Uint8Array) =>
    endings[Buffer.from(bytes).toString('latin1').split(' ')[1] ?? '']?.() ?? {},
})
