// Measures how the cost of something grows with the length of its input.

const TRIES = 3
/** The fastest of so many counts, unless they take longer together than `PATIENCE`: others use the machine as well. */
const RUNS = 6
/** Milliseconds. Below the floor a measurement says nothing, and nobody waits for it. */
const PATIENCE = 200
const FLOOR = 20
/** Four times the input costs four times as much where the cost is linear, and sixteen times where it is quadratic. */
const LARGEST_RATIO = 9

/** What grew too fast, in words; undefined for a cost that is linear. `run` gets n and then 4n. */
export function superlinear(run: (n: number) => void, n: number): string | undefined {
  let told = ''
  for (let left = TRIES; left > 0; left--) {
    const large = fastest(() => run(4 * n))
    if (large < FLOOR) return undefined
    const small = fastest(() => run(n))
    if (large / small < LARGEST_RATIO) return undefined
    told = `${small.toFixed(1)} ms at ${n}, ${large.toFixed(1)} ms at ${4 * n}`
  }
  // A busy machine may have held up one length each time; what truly grows so fast does so at other lengths, too.
  return fastest(() => run(8 * n)) / fastest(() => run(2 * n)) < LARGEST_RATIO ? undefined : told
}

function fastest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  let spent = 0
  for (let left = RUNS; left > 0 && spent < PATIENCE; left--) {
    const start = performance.now()
    run()
    const took = performance.now() - start
    best = Math.min(best, took)
    spent += took
  }
  return best
}
