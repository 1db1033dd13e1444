// What an operator's tools can listen to: every statement, storage operation and outgoing call, told on a diagnostics
// channel when it is done.
import { channel } from 'node:diagnostics_channel'

/** What every span tells. */
export interface Timed {
  milliseconds: number
  /** The code of the engine, of the system or of the network where it failed. */
  error?: string
}

/** On `svc-api:sql`: a statement without its values and rows, which may be secrets. */
export interface SqlSpan extends Timed {
  statement: string
  engine: 'mysql' | 'sqlite'
}

/** On `svc-api:storage`: what was done with which file or folder. */
export interface StorageSpan extends Timed {
  operation: string
  key: string
}

/** On `svc-api:outbound`: who was called, without the path and the query, which may be secrets. */
export interface OutboundSpan extends Timed {
  purpose: 'print-file' | 'export' | 'print-provider'
  method: string
  origin: string
}

export interface Tracer<Span extends Timed> {
  /** Starts the clock; call what comes back when the work is done. Undefined while nobody listens: then nothing is paid. */
  start(about: Omit<Span, keyof Timed>): ((error?: unknown) => void) | undefined
  /** The same around a promise. */
  around<T>(about: Omit<Span, keyof Timed>, work: () => Promise<T>): Promise<T>
}

function tracer<Span extends Timed>(name: string): Tracer<Span> {
  const spans = channel(name)
  function start(about: Omit<Span, keyof Timed>) {
    if (!spans.hasSubscribers) return undefined
    const since = performance.now()
    return (error?: unknown) => {
      const failure = error ? { error: String(Reflect.get(Object(error), 'code') ?? 'unknown') } : {}
      spans.publish({ ...about, milliseconds: performance.now() - since, ...failure })
    }
  }
  return {
    start,
    async around(about, work) {
      const done = start(about)
      try {
        const result = await work()
        done?.()
        return result
      } catch (error) {
        done?.(error)
        throw error
      }
    },
  }
}

export const sqlSpans = tracer<SqlSpan>('svc-api:sql')
export const storageSpans = tracer<StorageSpan>('svc-api:storage')
export const outboundSpans = tracer<OutboundSpan>('svc-api:outbound')
