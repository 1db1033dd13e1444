// Checks that do what the file says: die, loop, or allocate memory.
import { serve } from '../../src/workers/child.ts'

const endings: Readonly<Record<string, () => unknown>> = {
  exit: () => process.exit(1),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  crash: () => process.kill(process.pid, 'SIGSEGV'),
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
