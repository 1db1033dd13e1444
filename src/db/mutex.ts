// A FIFO mutex with a timeout, for the one connection to an embedded database.
import { timeLeft } from '../deadline.ts'
import { poolExhausted, timeouts } from './timeouts.ts'

export interface Mutex {
  /** Resolves with the function that releases it. @throws Error after the timeout */
  acquire(): Promise<() => void>
}

export function mutex(): Mutex {
  const waiting = new Set<() => void>()
  let isTaken = false

  function release(): void {
    const [next] = waiting
    if (!next) {
      isTaken = false
      return
    }
    waiting.delete(next)
    next()
  }

  function acquire(): Promise<() => void> {
    // A function of its own for each holder, so that they can be told apart.
    const releaseOwn = () => release()
    if (!isTaken) {
      isTaken = true
      return Promise.resolve(releaseOwn)
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(poolExhausted())
      }, timeLeft(timeouts.acquire))
      const start = () => {
        clearTimeout(timer)
        resolve(releaseOwn)
      }
      waiting.add(start)
    })
  }

  return { acquire }
}
