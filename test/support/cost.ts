// Compares the cost of a check for inputs of growing length.

const FACTOR = 4
/** Four times the input may cost so much more; a cost that grows with the square is sixteen times as much. */
const MOST = 9
const TRIES = 3
/** Milliseconds below which the clock says nothing. */
const NOISE = 40

/** Whether `check` costs about four times as much for an input of four times the size; noise is tried again. */
export async function isLinear<Input>(
  make: (size: number) => Input | Promise<Input>,
  check: (input: Input) => unknown,
  size = 100_000,
): Promise<boolean> {
  const [small, large] = [await make(size), await make(FACTOR * size)]
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await cost(() => check(small))
    const after = await cost(() => check(large))
    if (after < NOISE || after / before <= MOST) return true
  }
  return false
}

async function cost(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
