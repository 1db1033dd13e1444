// Hosts that accept forms themselves: their uploads do not change, and ours are not affected by their options, hooks or names.
import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import t, { type Test } from 'tap'
import { font } from '../support/fixtures/make-font.ts'
import { png } from '../support/fixtures/make-png.ts'
import { build, freshAddress, type TestHost } from '../support/hosts/build.ts'
import { Fastify } from '../support/hosts/fastify.ts'
import { filePart, form, formHeaders, upload } from '../support/hosts/form.ts'

type Options = Record<string, unknown>

// Imported by computed names, since both versions declare the same properties of a request.
const names = ['@fastify/multipart', 'fastify-multipart-9']
const versions = new Map<string, FastifyPluginCallback<Options>>()
for (const name of names) versions.set(name, (await import(name)).default)

/** Paths of the uploads that the host's own `onFile` received. */
const handled: string[] = []

async function onFile(this: { url: string }, part: { toBuffer(): Promise<Buffer> }): Promise<void> {
  handled.push(this.url)
  await part.toBuffer()
}

const optionsOfHosts: Record<string, Options> = {
  'as it comes': {},
  'with fields attached to the body': { attachFieldsToBody: true },
  'with values attached to the body': { attachFieldsToBody: 'keyValues' },
  'with narrow limits': { limits: { fileSize: 5, files: 1, fields: 0, parts: 1, headerPairs: 5 } },
  'with its own way of handling files': { attachFieldsToBody: true, onFile },
  'that takes every part for a field': { isPartAFile: () => false },
}

const ownForm = { payload: form([filePart('a.txt', 'hello')]), headers: formHeaders() }

/** A form route of the host, below `path`. */
function ownRoute(app: FastifyInstance, path = ''): void {
  app.post(`${path}/own`, async (request) => {
    if (request.body) return { attached: Object.keys(request.body) }
    const seen: string[] = []
    for await (const part of request.parts()) {
      seen.push(`${part.type} ${part.fieldname}`)
      if (part.type === 'file') seen.push(String(await part.toBuffer()))
    }
    return { seen }
  })
}

/** Uploads of each kind, with success and every refusal that the host's options could change. */
async function expectOurs(t: Test, host: Pick<TestHost, 'call'>): Promise<void> {
  const image = await upload(host, '/assets', 'a.png', png({ width: 40, height: 40 }))
  t.match(image, { status: 201, body: { data: { width: 40 } } })
  const named = await upload(host, '/fonts', 'a.ttf', font(), { fields: { name: 'Named' } })
  t.match(named, { status: 201, body: { data: { name: 'Named' } } })
  const large = await upload(host, '/assets', 'a.png', Buffer.alloc(11 * 1024 * 1024))
  t.match(large, { status: 413, body: { code: 'svc_upload_too_large' } })
  const twice = form([filePart('a.png', png()), filePart('b.png', png())])
  t.equal((await host.call('POST', '/assets', twice, formHeaders())).status, 400)
  const field = form([{ name: '__proto__', content: 'x' }, filePart('a.png', png())])
  t.equal((await host.call('POST', '/assets', field, formHeaders())).status, 400)
  t.equal((await host.call('POST', '/categories', form([]), formHeaders())).status, 415)
}

const requireStorage = (t: Test) => ({ dir: t.testdir({}), url: 'https://shop.example/uploads' })

for (const [version, plugin] of versions) {
  for (const [how, options] of Object.entries(optionsOfHosts)) {
    for (const order of ['before', 'after'] as const) {
      t.test(`${version} ${how}, registered ${order} us, changes nothing`, async (t) => {
        const register = (app: FastifyInstance) => {
          app.register(plugin, { ...options })
          app.register(async (scope) => ownRoute(scope))
        }
        const alone = Fastify()
        t.teardown(() => alone.close())
        register(alone)
        const expected = await alone.inject({ method: 'POST', url: '/own', ...ownForm })
        handled.length = 0

        const host = await build(t, { uploads: requireStorage(t), [order]: register })
        await expectOurs(t, host)
        t.strictSame(handled, [], 'no upload of ours was given to the host')
        const own = await host.app.inject({ method: 'POST', url: '/own', ...ownForm })
        t.strictSame([own.statusCode, own.json()], [expected.statusCode, expected.json()])
      })
    }
  }
}

const pluginNames = [
  'parts',
  'isMultipart',
  'file',
  'files',
  'formData',
  'saveRequestFiles',
  'cleanRequestFiles',
]
const hosts: Record<string, (app: FastifyInstance) => void> = {
  'that takes no forms': () => {},
  'with values under the names of the plugin': (app) => {
    for (const name of [...pluginNames, 'tmpUploads', 'savedRequestFiles']) app.decorateRequest(name, null)
    app.decorate('multipartErrors', 'of the host' as never)
  },
  'with functions under the names of the plugin': (app) => {
    for (const name of pluginNames) app.decorateRequest(name, () => true)
  },
  'with getters under the names of the plugin': (app) => {
    const getter = () => {
      throw new Error('nobody asks for this')
    }
    for (const name of [...pluginNames, 'tmpUploads']) app.decorateRequest(name, { getter })
  },
  'with a parser of its own': (app) => {
    app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, 'of the host'))
  },
  'with a parser of its own for every type': (app) => {
    app.addContentTypeParser(/^/, (_request, _payload, done) => done(null, 'of the host'))
  },
}

for (const [kind, change] of Object.entries(hosts)) {
  for (const order of ['before', 'after'] as const) {
    t.test(`a host ${kind}, ${order} us, gets the same uploads`, async (t) => {
      await expectOurs(t, await build(t, { uploads: requireStorage(t), [order]: change }))
    })
  }
}

t.test(
  'in hooks of the host a request to us never counts as a form, and its stream is untouched',
  async (t) => {
    const seen: unknown[] = []
    const host = await build(t, {
      uploads: requireStorage(t),
      before: (app) => {
        app.register(versions.get('@fastify/multipart') as FastifyPluginCallback<Options>, {
          attachFieldsToBody: true,
        })
        app.addHook('preHandler', async (request) => {
          seen.push([request.isMultipart(), typeof request.body])
        })
      },
    })
    t.equal((await upload(host, '/assets', 'a.png', png())).status, 201)
    t.strictSame(seen, [[false, 'object']])
  },
)

t.test('two instances accept uploads next to the plugin of their host', async (t) => {
  const { svcApi } = await import('../../plugins/index.ts')
  const database = await freshAddress(t, 'SQLite')
  const uploads = requireStorage(t)
  const host = await build(t, {
    uploads,
    before: (app) => app.register(versions.get('fastify-multipart-9') as FastifyPluginCallback<Options>),
    after: (app) => {
      app.register(svcApi, {
        database,
        uploads,
        baseUrl: '/other',
        siteUrl: 'https://other.example',
        migrate: true,
      })
    },
  })
  await expectOurs(t, host)
  const other = await host.app.inject({ method: 'POST', url: '/other/svc/v1/assets', ...ownForm })
  t.equal(other.statusCode, 401)
})
