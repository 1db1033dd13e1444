// Starts the app with the settings of .env, and stops it on SIGTERM and SIGINT after the requests that are running.
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ensureToken } from 'svc-api'
import { buildApp } from './app.ts'

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: README.md explains the settings.`)
  return value
}

const database = setting('DATABASE_URL')
const uploadsDir = resolve(setting('UPLOADS_DIR'))
await mkdir(uploadsDir, { recursive: true })

const app = buildApp(
  {
    database,
    uploadsDir,
    siteUrl: setting('SITE_URL'),
    adminPassword: setting('ADMIN_PASSWORD'),
    formSecret: setting('FORM_SECRET'),
  },
  { logger: { level: process.env.LOG_LEVEL ?? 'warn' } },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => app.close())

try {
  await app.ready()
  await ensureToken({ database })
  console.log(`Serving ${await app.listen({ host: setting('HOST'), port: Number(setting('PORT')) })}`)
} catch (error) {
  // The messages of svc-api are for people; a stack trace would hide them.
  console.error(error instanceof Error ? error.message : error)
  await app.close()
  process.exit(1)
}
