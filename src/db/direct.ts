// The way of hot statements past Kysely, whose layers cost more than these statements do.
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { Executor } from './together.ts'

/** Runs one statement on a connection of its own. */
export interface Direct {
  rows(text: string, values: readonly unknown[]): Promise<unknown[]>
  /**
   * A write that is one statement. It takes effect before this returns, or never: the server itself ends it in time.
   * @returns the number of matched rows, or of changed rows if the settings of the host's pool make the database report
   *   these; undefined without effect if the server cannot be told to, or has ended it
   */
  write(text: string, values: readonly unknown[]): Promise<bigint | undefined>
  /** Lends a connection for a transaction. */
  session<T>(work: (trx: Executor) => Promise<T>): Promise<T>
}

const known = new WeakMap<object, Direct>()

/** Statements on this instance, outside of transactions, may run directly. */
export function runDirectly(db: Kysely<Tables>, direct: Direct): void {
  known.set(db, direct)
}

/** Undefined for transactions, and for instances that know no direct way. */
export const directOf = (executor: Kysely<Tables>): Direct | undefined => known.get(executor)
