// Who may use the one connection to an embedded database: one after the other, in the order of asking, and nobody waits for ever.
import { timeLeft } from '../deadline.ts'
import { poolExhausted, timeouts } from './timeouts.ts'

export interface Turns {
  /** Resolves when it is the caller's turn, with what ends the turn. @throws Error when it does not come in time */
  take(): Promise<() => void>
}

export function turns(): Turns {
  const waiting = new Set<() => void>()
  let isTaken = false

  function giveBack(): void {
    const [next] = waiting
    if (!next) {
      isTaken = false
      return
    }
    waiting.delete(next)
    next()
  }

  function take(): Promise<() => void> {
    // Each turn is ended by a function of its own.
    const turn = () => giveBack()
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

  return { take }
}
