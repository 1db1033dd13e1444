// Measures how the cost of something grows with the length of its input.

const TRIES = 3
/** Milliseconds; below, a measurement says nothing, and nobody waits for it. */
const FLOOR = 2
/** Four times the input costs four times as much where the cost is linear, and sixteen times where it is quadratic. */
const LARGEST_RATIO = 9

/** Milliseconds of processor time that this thread has taken so far: others on a busy machine do not count. */
export function cpu(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What grew too fast, in words; undefined for a cost that is linear. `run` gets n and then 4n. */
export function superlinear(run: (n: number) => void, n: number): string | undefined {
  let told = ''
  for (let left = TRIES; left > 0; left--) {
    const small = fastest(() => run(n))
    const large = fastest(() => run(4 * n))
    if (large < FLOOR || large / small < LARGEST_RATIO) return undefined
    told = `${small.toFixed(1)} ms at ${n}, ${large.toFixed(1)} ms at ${4 * n}`
  }
  return told
}

function fastest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let left = TRIES; left > 0 && best > FLOOR / 10; left--) {
    const start = cpu()
    run()
    best = Math.min(best, cpu() - start)
  }
  return best
}
