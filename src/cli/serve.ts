// `svc-api serve`: the example host, which the package contains.
import { errorCode } from '../core/foreign.ts'
import { command } from './command.ts'

export const serveCommand = command({
  summary: 'starts the example host with its demo shop',
  help: `Usage: svc-api serve

Starts the example host: the API, its uploads folder and the settings screen. Needs the package fastify. By default it listens
on 127.0.0.1:3000 and stores everything in the folder .data. Prints the API token, and a first request to paste.

The environment configures it as it does "npm start" of the example: PORT, HOST, SITE_URL, BASE_URL, DATABASE_URL, DATABASE_WAIT (60),
TABLE_PREFIX, UPLOADS_DIR, UPLOADS_URL, SVC_ADMIN_PASSWORD, SVC_DEMO, LOG_LEVEL and others, which
docs/reference/environment.md of the package lists.`,
  options: {},
  async run() {
    try {
      // Built from examples/host; importing it starts it.
      await import(new URL('../../host/index.js', import.meta.url).href)
    } catch (error) {
      const isAbsent = errorCode(error) === 'ERR_MODULE_NOT_FOUND'
      if (!isAbsent || !/'fastify'/.test(String(error))) throw error
      throw new Error('The package fastify is not installed: run "npm install fastify".', { cause: error })
    }
    return undefined
  },
})
