// What tests of the print webhook share: a host with an uploads folder, a server of print files, jobs, notifications.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import type { PrintReadyOptions } from '../../../src/print/options.ts'
import { printJobsRepository } from '../../../src/print/print-jobs.ts'
import { httpServer } from '../peers/servers.ts'
import { type BuildOptions, build, type TestHost, type TestResponse } from './build.ts'

export const pdf = '%PDF-1.7\nprint me'

export interface PrintHost extends TestHost {
  uploads: string
  tempDir: string
  router: Awaited<ReturnType<typeof httpServer>>
  /** A new pending job. */
  newJob(details?: Record<string, unknown>): Promise<{ id: number; guid: string }>
  /** Sends a notification without any token; to the path's GUID, with this body. */
  notify(guid: string, body?: unknown, more?: NotifyOptions): Promise<TestResponse>
  /** Paths below the uploads folder of all files that are stored. */
  stored(): string[]
  job(guid: string): Promise<TestResponse['body']>
}

interface NotifyOptions {
  method?: 'POST' | 'PUT' | 'PATCH'
  headers?: Record<string, string>
  query?: string
}

/** @param handler responds for the server of print files; a small PDF by default */
export async function printHost(
  t: Test,
  options: Omit<BuildOptions, 'printReady'> & { printReady?: PrintReadyOptions } = {},
  handler: RequestListener = (_request, response) => response.end(pdf),
): Promise<PrintHost> {
  // A test has one testdir, which contains its database.
  const dir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  mkdirSync(`${dir}/uploads`)
  t.teardown(() => rmSync(dir, { recursive: true }))
  const router = await httpServer(t, handler)
  const tempDir = `${dir}/temp`
  const host = await build(t, {
    ...options,
    uploads: { dir: `${dir}/uploads`, url: 'https://shop.example/wp-content/uploads' },
    printReady: { allow: [router.pair], tempDir, ...options.printReady },
  })
  const jobs = printJobsRepository(await databaseOn(host.connection))
  return {
    ...host,
    uploads: `${dir}/uploads`,
    tempDir,
    router,
    newJob: (details = {}) => jobs.create(details),
    stored: () =>
      readdirSync(`${dir}/uploads`, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => `${entry.parentPath}/${entry.name}`.slice(`${dir}/uploads/`.length)),
    job: async (guid) => (await host.call('GET', `/print-jobs/${guid}`)).body.data,
    async notify(
      guid,
      body = { file_url: `${router.url}/order-7.pdf` },
      { method = 'POST', headers = {}, query = '' } = {},
    ) {
      const {
        statusCode,
        headers: received,
        payload,
      } = await host.app.inject({
        method,
        url: `/wp-json/svc-export/v1.0/print_job/${guid}${query}`,
        headers,
        ...(body === null ? {} : { payload: body as object }),
      })
      return {
        status: statusCode,
        headers: received as TestResponse['headers'],
        body: JSON.parse(payload),
        text: payload,
      }
    },
  }
}

/** Names in a folder; empty if it does not exist. */
export const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
