// Records OpenTelemetry histograms from the API's diagnostics channels.
import { subscribe } from 'node:diagnostics_channel'
import { type Attributes, type Meter, ValueType } from '@opentelemetry/api'

/** What the messages have in common; see docs/guide/deployment.md. */
interface Span {
  milliseconds: number
  /** The error code; absent on success. */
  error?: string
}

/** Channels, and the properties of their messages that become attributes: low cardinality, so neither keys nor URLs. */
const channels: [channel: string, metric: string, attributes: string[]][] = [
  ['svc-api:sql', 'svc_api.sql.duration', ['engine', 'verb']],
  ['svc-api:storage', 'svc_api.storage.duration', ['operation']],
  ['svc-api:outbound', 'svc_api.outbound.duration', ['purpose', 'method']],
]

/** Starts recording, until the process ends. */
export function recordMetrics(meter: Meter): void {
  for (const [channel, metric, names] of channels) {
    const histogram = meter.createHistogram(metric, { unit: 's', valueType: ValueType.DOUBLE })
    subscribe(channel, (message) => {
      const span = message as Span & Record<string, unknown>
      // Only the first keyword of a statement: whole statements would create too many time series.
      const about = { ...span, verb: /^\w*/.exec(String(span.statement ?? ''))?.[0]?.toLowerCase() }
      const attributes: Attributes = { 'error.type': span.error }
      for (const name of names) attributes[name] = String(Reflect.get(about, name))
      histogram.record(span.milliseconds / 1000, attributes)
    })
  }
}
