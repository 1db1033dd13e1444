// OpenTelemetry histograms from what the API tells on its diagnostics channels.
import { subscribe } from 'node:diagnostics_channel'
import { type Attributes, type Meter, ValueType } from '@opentelemetry/api'

/** What the messages have in common; see "Watching it" in the README. */
interface Span {
  milliseconds: number
  /** A code; absent where all went well. */
  error?: string
}

/** Channels, and which properties of their messages become attributes: few values each, never keys or URLs. */
const channels: [channel: string, metric: string, attributes: string[]][] = [
  ['svc-api:sql', 'svc_api.sql.duration', ['engine', 'verb']],
  ['svc-api:storage', 'svc_api.storage.duration', ['operation']],
  ['svc-api:outbound', 'svc_api.outbound.duration', ['purpose', 'method']],
]

/** Records from now on, as long as the process lives. */
export function recordMetrics(meter: Meter): void {
  for (const [channel, metric, names] of channels) {
    const histogram = meter.createHistogram(metric, { unit: 's', valueType: ValueType.DOUBLE })
    subscribe(channel, (message) => {
      const span = message as Span & Record<string, unknown>
      // The first word of a statement: whole statements would be too many series.
      const about = { ...span, verb: /^\w*/.exec(String(span.statement ?? ''))?.[0]?.toLowerCase() }
      const attributes: Attributes = { 'error.type': span.error }
      for (const name of names) attributes[name] = String(Reflect.get(about, name))
      histogram.record(span.milliseconds / 1000, attributes)
    })
  }
}
