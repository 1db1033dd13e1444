// Lets a fixed number of jobs run at once; the others wait in the order in which they came.
import { FileCheckFailed } from './rejected.ts'

export type Semaphore = <T>(job: () => Promise<T>) => Promise<T>

/** `places` jobs run at once, at most `queue` wait; a job beyond that fails at once instead of piling up. */
export function semaphore(places: number, queue = 500): Semaphore {
  let free = places
  const waiting: (() => void)[] = []

  const enter = async () => {
    if (free > 0) {
      free--
      return
    }
    if (waiting.length >= queue) throw new FileCheckFailed('Too many uploaded files wait to be checked.')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  // A leaving job hands its place to the next in line, so that a newcomer cannot slip in between.
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  return async (job) => {
    await enter()
    try {
      return await job()
    } finally {
      leave()
    }
  }
}
