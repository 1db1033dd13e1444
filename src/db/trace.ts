// What an operator's tools can listen to: every statement, when it is done, on the diagnostics channel `svc-api:sql`.
import { channel } from 'node:diagnostics_channel'

/** A statement without its values and rows, which may be secrets. */
export interface SqlSpan {
  statement: string
  engine: 'mysql' | 'sqlite'
  /** How long it took. */
  milliseconds: number
  /** The engine's code where it failed. */
  error?: string
}

const sql = channel('svc-api:sql')

/** Whether anybody listens; else no statement pays for a clock. */
export const isTraced = () => sql.hasSubscribers

/** Starts the clock of a statement; call what comes back when it is done. */
export function traceStatement(engine: SqlSpan['engine'], statement: string): (error?: unknown) => void {
  const since = performance.now()
  return (error) => {
    const span: SqlSpan = { statement, engine, milliseconds: performance.now() - since }
    if (error) span.error = String(Reflect.get(Object(error), 'code') ?? 'unknown')
    sql.publish(span)
  }
}
