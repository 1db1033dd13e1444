// The state of one request that all code working for it can read (AsyncLocalStorage): its deadline and its author, and nothing else.
// `core/deadline.ts` and `core/change.ts` declare them beside the functions that read and set them.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The properties of the scope; the files named above add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging fills it.
export interface RequestScope {}

const scopes = new AsyncLocalStorage<Readonly<RequestScope>>()

const none: RequestScope = {}

/** The scope of the request that the caller works for; empty outside of requests. */
export const requestScope = (): Readonly<RequestScope> => scopes.getStore() ?? none

/** Runs `work` with other properties of the scope. */
export const withScope = <T>(properties: RequestScope, work: () => T): T =>
  scopes.run({ ...scopes.getStore(), ...properties }, work)

/** Runs `work` outside of any request: without the deadline and the author of the request that starts it. */
export const withoutScope = <T>(work: () => T): T => scopes.exit(work)
