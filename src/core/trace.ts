// Diagnostics channels for monitoring tools: every statement, storage operation and outgoing call is published when it ends.
import { channel } from 'node:diagnostics_channel'

/** Properties of every span. */
export interface Timed {
  milliseconds: number
  /** Error code of the engine, system or network, if it failed. */
  error?: string
}

/** On `svc-api:sql`: a statement, without its values and rows, which may be secret. */
export interface SqlSpan extends Timed {
  statement: string
  engine: 'mysql' | 'sqlite'
}

/** On `svc-api:storage`: an operation on a file or folder. */
export interface StorageSpan extends Timed {
  operation: string
  key: string
}

/** On `svc-api:outbound`: a call to another server, without path and query, which may be secret. */
export interface OutboundSpan extends Timed {
  purpose: 'print-file' | 'export' | 'print-provider' | 'webhook'
  method: string
  origin: string
}

function tracer<Span extends Timed>(name: string) {
  const spans = channel(name)
  /** Starts a span and returns the function that ends it; undefined without subscribers, so that it costs nothing. */
  function start(details: Omit<Span, keyof Timed>) {
    if (!spans.hasSubscribers) return undefined
    const since = performance.now()
    return (error?: unknown) => {
      const failure = error ? { error: String(Reflect.get(Object(error), 'code') ?? 'unknown') } : {}
      spans.publish({ ...details, milliseconds: performance.now() - since, ...failure })
    }
  }
  return {
    start,
    /** Runs `work` in a span. */
    async around<T>(details: Omit<Span, keyof Timed>, work: () => Promise<T>): Promise<T> {
      const done = start(details)
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
