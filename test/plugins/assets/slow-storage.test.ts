// Uploads to an S3 that takes requests and does not respond: an error in time, and nothing is left.
import type { IncomingMessage } from 'node:http'
import t, { type Test } from 'tap'
import { pushTime, pushTimeOf } from '../../../src/core/deadline.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { type Engine, onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { printHost } from '../../support/hosts/print.ts'
import { marks, saveRows } from '../../support/hosts/remote-shop.ts'
import { httpServer } from '../../support/peers/servers.ts'

const keys = { svc_ae_s3_access_key: 'AK', svc_ae_s3_access_secret: 'SK', svc_ae_s3_region: 'us-east-1' }

/** A shop whose S3 stores files but does not respond to requests of these methods. */
async function slowShop(t: Test, engine: Engine, silent: readonly string[]) {
  const { least } = pushTime
  pushTime.least = 500
  t.teardown(() => Object.assign(pushTime, { least }))
  const objects = new Set<string>()
  const pathOf = ({ url = '' }: IncomingMessage) => url.replace(/\?.*/, '')
  const { url: endpoint } = await httpServer(t, (request, response) => {
    request.resume().once('end', () => {
      if (request.method === 'PUT') objects.add(pathOf(request))
      if (silent.includes(request.method ?? '')) return
      if (request.method === 'DELETE') objects.delete(pathOf(request))
      response.writeHead(request.method === 'DELETE' ? 204 : 200, { 'content-type': 'application/xml' })
      response.end(request.method === 'GET' ? '<ListMultipartUploadsResult/>' : '')
    })
  })
  const host = await printHost(t, { engine, storage: { s3: { endpoint } } })
  await saveRows(host, { ...keys, svc_ae_cloud: 's3', svc_ae_s3_bucket: 'shop' })
  return { host, objects }
}

const timedOut = {
  status: 502,
  body: {
    code: 'svc_storage_unavailable',
    message: 'The file storage did not respond in time; try again later.',
    data: { reason: 'storage-timeout' },
  },
}

t.test('POST /assets: 502 with its reason when S3 does not confirm a file, which is removed', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, objects } = await slowShop(t, engine, ['PUT'])
    t.match(await upload(host, '/assets', 'a.png', png()), timedOut)
    t.match(await host.call('GET', '/assets'), { body: { data: [], meta: { total: 0 } } })
    t.same([[...objects], host.stored()], [[], []])
  }),
)

t.test('POST /assets: 502 in time when S3 does not respond at all, and the file is left to be removed', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, objects } = await slowShop(t, engine, ['PUT', 'GET', 'DELETE'])
    const began = performance.now()
    t.match(await upload(host, '/assets', 'a.png', png()), timedOut)
    t.ok(performance.now() - began < 9000, `${performance.now() - began} ms`)
    t.match(await host.call('GET', '/assets'), { body: { data: [], meta: { total: 0 } } })
    t.equal(objects.size, 1)
    t.match(await marks(host), [{ storage: 'deleted:s3' }])
  }),
)

t.test('pushTimeOf: 15 seconds and the time of the bytes at 128 KiB/s, at most 60 seconds', async (t) => {
  t.same(
    [0, 131_072, 10 * 131_072, 45 * 131_072, 2 ** 30].map(pushTimeOf),
    [15_000, 16_000, 25_000, 60_000, 60_000],
  )
})
