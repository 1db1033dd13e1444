// Who may use the one connection to an embedded database: one after the other, in the order of asking, and nobody waits for ever.
import { timeLeft } from '../deadline.ts'
import { poolExhausted, timeouts } from './timeouts.ts'

export interface Mutex {
  /** Resolves when it is the caller's turn, with what ends the turn. @throws Error when it does not come in time */
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
    // Each turn is ended by a function of its own.
    const turn = () => release()
    if (!isTaken) {
      isTaken = true
      return Promise.resolve(turn)
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(poolExhausted())
      }, timeLeft(timeouts.acquire))
      const start = () => {
        clearTimeout(timer)
        resolve(turn)
      }
      waiting.add(start)
    })
  }

  return { acquire }
}
