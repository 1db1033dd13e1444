// Metrics through OpenTelemetry. This exporter prints to the console; replace it by an OTLP exporter.
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import Fastify from 'fastify'
import svcApi from 'svc-api'
import { recordMetrics } from './metrics.ts'

const seconds = Number(process.env.METRICS_SECONDS ?? 60)
const provider = new MeterProvider({
  readers: [
    new PeriodicExportingMetricReader({
      exporter: new ConsoleMetricExporter(),
      exportIntervalMillis: seconds * 1000,
      exportTimeoutMillis: Math.min(seconds, 30) * 1000,
    }),
  ],
})
recordMetrics(provider.getMeter('svc-api'))

const app = Fastify({ logger: { level: 'warn' } })
const uploads = process.env.UPLOADS_DIR
app.register(svcApi, {
  database: process.env.DATABASE_URL ?? 'sqlite:shop.sqlite',
  siteUrl: process.env.SITE_URL ?? 'http://localhost:3000',
  migrate: true,
  ...(uploads && { uploads: { dir: uploads, url: 'http://localhost:3000/uploads' } }),
})

app.addHook('onClose', () => provider.shutdown())
process.once('SIGTERM', () => void app.close())
console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT ?? 3000) })}`)
