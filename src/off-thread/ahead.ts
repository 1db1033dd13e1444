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

type Outcome = { result: unknown } | { error: unknown }
interface Made {
  call: Call
  outcome: Outcome
}

/** Calls for which one transaction is begun anew; those beyond are made within it. */
const maxCalls = 4

const ahead = new AsyncLocalStorage<{ made: readonly Made[]; isOpenEnded: boolean }>()

/**
 * Runs `transaction`, which rolls back when it throws. It is run again for each call of the other thread that it needs:
 * the call is made in between, and its outcome is taken where the transaction makes the same call once more.
 */
export async function callingAhead<T>(transaction: () => Promise<T>): Promise<T> {
  const made: Made[] = []
  for (;;) {
    try {
      return await ahead.run({ made, isOpenEnded: made.length < maxCalls }, transaction)
    } catch (error) {
      if (!(error instanceof NotYetCalled)) throw error
      const { call, make } = error
      // Its error is rethrown at the call.
      const outcome = await make().then(
        (result): Outcome => ({ result }),
        (error): Outcome => ({ error }),
      )
      made.push({ call, outcome })
    }
  }
}

/** The outcome of a call: within `callingAhead` of one made before, elsewhere of `make`. */
export async function outcomeOf(call: Call, make: () => Promise<unknown>): Promise<unknown> {
  return outcomeAhead(call, make, make)
}

/** The same synchronously: `here` does the work if the call can no longer be made ahead. */
export function outcomeAhead<T>(call: Call, make: () => Promise<unknown>, here: () => T): unknown {
  const state = ahead.getStore()
  if (!state) return here()
  const known = state.made.find((other) => isDeepStrictEqual(other.call, call))
  if (!known && state.isOpenEnded) throw new NotYetCalled(call, make)
  if (!known) return here()
  if ('error' in known.outcome) throw known.outcome.error
  return known.outcome.result
}
