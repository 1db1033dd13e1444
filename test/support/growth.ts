// Measures how the cost of a function grows with the size of its input.

const tries = 3
/** The cheapest of so many runs counts, unless they exceed `maxMeasuring` milliseconds. */
const runs = 6
const maxMeasuring = 100
/** Milliseconds of CPU time below which a measurement is noise, of this thread and of all. */
const minOwn = 20
const minCpu = 40
/** For four times the input: a linear cost is about 4 times as high, a quadratic one 16 times. */
const maxRatio = 9

/** Describes a cost that grows faster than linearly; undefined for a linear one. `run` gets n and then 4n. */
export function superlinear(run: (n: number) => void, n: number): string | undefined {
  let description = ''
  for (let left = tries; left > 0; left--) {
    const large = cheapest(() => run(4 * n))
    if (large < minOwn) return undefined
    const small = cheapest(() => run(n))
    if (large / small < maxRatio) return undefined
    description = `${small.toFixed(1)} ms at ${n}, ${large.toFixed(1)} ms at ${4 * n}`
  }
  // The garbage of one size may be collected each time; real growth also shows at other sizes.
  return cheapest(() => run(8 * n)) / cheapest(() => run(2 * n)) < maxRatio ? undefined : description
}

/** Whether `check` costs at most about four times as much CPU time for an input of four times the size. */
export async function isLinear<Input>(
  make: (size: number) => Input | Promise<Input>,
  check: (input: Input) => unknown,
  size = 100_000,
): Promise<boolean> {
  const [small, large] = [await make(size), await make(4 * size)]
  for (let left = tries; left > 0; left--) {
    const before = await cpuTime(() => check(small))
    const after = await cpuTime(() => check(large))
    if (after < minCpu || after / before <= maxRatio) return true
  }
  return false
}

async function cpuTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function cheapest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  let spent = 0
  for (let left = runs; left > 0 && spent < maxMeasuring; left--) {
    // The machine is shared: by the clock, others would be measured as well.
    const start = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(start)
    const took = (user + system) / 1000
    best = Math.min(best, took)
    spent += took
  }
  return best
}
