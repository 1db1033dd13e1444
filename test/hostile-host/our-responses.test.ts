// Whatever a host changes about its app, our routes respond as in a plain one.
import t, { type Test } from 'tap'
import { type Recorded, record } from '../support/fixtures/recorded.ts'
import { type BuildOptions, build } from '../support/hosts/build.ts'
import { type HostileHost, hostileHosts } from '../support/hosts/hostile-host.ts'

async function answersIn(t: Test, { server, before, after, prefix }: HostileHost): Promise<Recorded[]> {
  const options: BuildOptions = {
    uploads: { dir: t.testdir({}), url: 'https://shop.example/uploads' },
    ...(server ? { server } : {}),
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
    ...(prefix ? { prefix } : {}),
  }
  const { app } = await build(t, options)
  return record(app, routes, prefix)
}

const { routes } = await build(t)
const plain = await answersIn(t, {})

t.test('the recorded requests cover successes and errors of many kinds', async (t) => {
  const statuses = new Set(plain.map(({ status }) => status))
  for (const status of [200, 201, 304, 400, 401, 403, 404, 409, 412, 415, 422])
    t.ok(statuses.has(status), `${status}`)
  // This host configured no uploads folder and no export service (503), and no renderer (501).
  t.notOk([...statuses].some((status) => status >= 500 && status !== 503 && status !== 501))
})

for (const [kind, host] of Object.entries(hostileHosts)) {
  t.test(`a host ${kind} gets the same responses`, async (t) => {
    const responses = await answersIn(t, host)
    t.strictSame(responses, plain)
  })
}
