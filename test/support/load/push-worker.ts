// A process that pushes one upload or one print file to a remote storage, and is killed from outside while it does.
import { svcApi } from '../../../plugins/index.ts'
import { png } from '../fixtures/make-png.ts'
import { Fastify } from '../hosts/fastify.ts'
import { form, formHeaders } from '../hosts/form.ts'

export interface PushTask {
  address: string
  uploads: string
  tempDir: string
  /** host:port of the server of print files. */
  trusted: string
  /** Base URL of the stand-in for Dropbox. */
  dropbox: string
  /** Of the API. */
  token: string
  /** What to push: a picture, or the file of this print job. */
  work: 'upload' | { guid: string; fileUrl: string }
}

const task = JSON.parse(process.argv[2] ?? '') as PushTask
const app = Fastify()
await app.register(svcApi, {
  database: task.address,
  siteUrl: 'https://shop.example',
  uploads: { dir: task.uploads, url: 'https://shop.example/uploads' },
  storage: { dropbox: { urls: { api: task.dropbox, content: task.dropbox } } },
  printReady: { allow: [task.trusted], tempDir: task.tempDir },
})
const { work } = task
const part = { name: 'file', filename: 'a.png', content: png(), type: 'image/png' }
const { statusCode } = await app.inject(
  work === 'upload'
    ? {
        method: 'POST',
        url: '/wp-json/svc/v1/assets',
        headers: { ...formHeaders(), authorization: `Bearer ${task.token}` },
        payload: form([part]),
      }
    : {
        method: 'POST',
        url: `/wp-json/svc-export/v1.0/print_job/${work.guid}`,
        payload: { file_url: work.fileUrl },
      },
)
process.exit(statusCode < 300 ? 0 : 1)
