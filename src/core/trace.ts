// Diagnostics channels (`node:diagnostics_channel`) for monitoring tools: every statement, storage operation and outgoing call is
// published as a span when it ends.
import { channel } from 'node:diagnostics_channel'
import { errorCode } from './foreign.ts'

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

/** The channel with this name, and functions that publish spans on it. */
function tracer<Span extends Timed>(name: string) {
  const spans = channel(name)
  /** Starts a span. Returns the function that ends it, with an error if it failed; undefined without subscribers, which costs nothing. */
  function start(details: Omit<Span, keyof Timed>) {
    if (!spans.hasSubscribers) return undefined
    const startedAt = performance.now()
    return (error?: unknown) => {
      const failure = error ? { error: errorCode(error) ?? 'unknown' } : {}
      spans.publish({ ...details, milliseconds: performance.now() - startedAt, ...failure })
    }
  }
  return {
    start,
    /** Runs `work` in a span. */
    async around<T>(details: Omit<Span, keyof Timed>, work: () => Promise<T>): Promise<T> {
      const end = start(details)
      try {
        const result = await work()
        end?.()
        return result
      } catch (error) {
        end?.(error)
        throw error
      }
    },
  }
}

/** Spans of statements. */
export const sqlSpans = tracer<SqlSpan>('svc-api:sql')
/** Spans of storage operations. */
export const storageSpans = tracer<StorageSpan>('svc-api:storage')
/** Spans of calls to other servers. */
export const outboundSpans = tracer<OutboundSpan>('svc-api:outbound')
