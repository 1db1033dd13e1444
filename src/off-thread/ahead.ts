// Calls of the other thread that a transaction needs are made while it is not open: its locks must not wait for them.
import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'

/** A function of a module, and what it is called with. */
export interface Call {
  module: string
  name: string
  args: unknown[]
}

/** Ends a transaction that needs the result of a call. */
class NotYetCalled extends Error {
  readonly call: Call
  readonly make: () => Promise<unknown>

  constructor(call: Call, make: () => Promise<unknown>) {
    super(`${call.name} is to be called outside of the transaction.`)
    this.call = call
    this.make = make
  }
}

interface Made {
  call: Call
  outcome: Promise<unknown>
}

/** Calls for which one transaction is begun anew; those beyond are made within it. */
const mostCalls = 4

const ahead = new AsyncLocalStorage<{ made: readonly Made[]; isOpenEnded: boolean }>()

/**
 * Runs `transaction`, which rolls back when it throws. It is run again for each call of the other thread that it needs:
 * the call is made in between, and its outcome is taken where the transaction makes the same call once more.
 */
export async function callingAhead<T>(transaction: () => Promise<T>): Promise<T> {
  const made: Made[] = []
  for (;;) {
    try {
      return await ahead.run({ made, isOpenEnded: made.length < mostCalls }, transaction)
    } catch (error) {
      if (!(error instanceof NotYetCalled)) throw error
      const outcome = error.make()
      // What it throws is thrown where the call stands.
      await outcome.catch(() => {})
      made.push({ call: error.call, outcome })
    }
  }
}

/** The outcome of a call: within `callingAhead` one that was made before, elsewhere what `make` makes now. */
export async function outcomeOf(call: Call, make: () => Promise<unknown>): Promise<unknown> {
  const state = ahead.getStore()
  if (!state) return make()
  const known = state.made.find((other) => isDeepStrictEqual(other.call, call))
  if (known) return known.outcome
  if (!state.isOpenEnded) return make()
  throw new NotYetCalled(call, make)
}
