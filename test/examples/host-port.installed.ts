// What happens to the example host when its port is taken, and where its demo's pictures lead afterwards.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { portToUse } from '../../examples/host/port.ts'
import { ensureCommands } from '../support/debian.ts'
import { launch, start, stop, tokenIn } from '../support/hosts/example-host.ts'

await ensureCommands({ curl: 'curl' })

/** A port that is taken until the test ends. */
async function takenPort(t: Test, wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

t.test('a port that is taken ends the start before anything is stored', async (t) => {
  const cwd = t.testdir({})
  const { ended, errors, printed } = launch(t, cwd, { PORT: String(await takenPort(t)) })
  t.equal(await ended, 1)
  t.equal(errors(), 'The host did not start. PORT is taken by another process; choose another one.\n')
  t.equal(printed(), '')
  t.notOk(existsSync(join(cwd, '.data')))
})

t.test('without PORT the next free port is taken, and said', async (t) => {
  // Another process may hold it already, which does as well.
  await takenPort(t, 3000).catch(() => {})
  const port = await portToUse('127.0.0.1', undefined)
  t.ok(port > 3000 && port < 3021, String(port))
  const { says } = launch(t, t.testdir({}), { PORT: '' })
  await says(/^Port 3000 is taken, so this host takes 30\d\d\. PORT chooses another one\.$/m)
  await says(/^Listening on +http:\/\/127\.0\.0\.1:30\d\d$/m)
})

t.test(
  'a second host on the same SQLite file is refused, a killed one does not stand in the way',
  async (t) => {
    const cwd = t.testdir({})
    const first = await start(t, cwd)
    const { ended, errors, printed } = launch(t, cwd, {})
    t.equal(await ended, 1)
    t.match(
      errors(),
      /^The host did not start\. DATABASE_URL: another host is running on \S+svc\.sqlite\. Use that one, stop it, or .+\.\n$/,
    )
    t.equal(printed(), '')
    t.equal((await first.get('/ready')).status, 200)
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const { products } = await start(t, cwd)
    t.equal(products.length, 8)
  },
)

t.test('the pictures and the order of the demo belong to the host that serves them next', async (t) => {
  const cwd = t.testdir({})
  const first = await start(t, cwd)
  const token = tokenIn(first)
  t.equal(await stop(first, 'SIGTERM'), 0)
  const second = await start(t, cwd)
  const { thumbnail = '' } = second.products[0] ?? {}
  t.match(thumbnail, /^\/uploads\/svc\/demo\/.+\.svg$/)
  t.equal((await second.get(thumbnail)).status, 200)
  const print = second.printed.split('\n').find((line) => line.includes('/export')) ?? ''
  t.ok(token && print.startsWith('curl '))
  t.match(JSON.parse(await second.shell(print)), { success: true, data: { status: 'completed' } })
})

t.test('an address that no machine has is blamed on HOST', async (t) => {
  const { ended, errors } = launch(t, t.testdir({}), { HOST: '999.1.1.1' })
  t.equal(await ended, 1)
  t.match(errors(), /^The host did not start\. HOST is not an address of this machine \(\w+\)\.\n$/)
})

t.test('the log holds no requests that the demo makes of itself', async (t) => {
  const running = await start(t, t.testdir({}), { LOG_LEVEL: 'info' })
  const before = running.printed.split('\nListening on')[0] ?? ''
  t.notMatch(before, 'incoming request')
  t.ok(running.products.length > 0)
})

t.test('the log names the path of a request, and nothing of its query', async (t) => {
  const { child, printed, says, ended } = launch(t, t.testdir({}), { LOG_LEVEL: 'info' })
  await says(/^curl .*\n/m)
  const address = /Listening on +(\S+)/.exec(printed())?.[1]
  const query = 'email=jane@example.org&token=0123456789abcdef'
  const paths = ['/wp-json/svc/v1/products', '/nothing', '/uploads/nothing', '/settings']
  for (const path of paths) await fetch(`${address}${path}?${query}`)
  child.kill('SIGTERM')
  await ended
  for (const path of paths) t.match(printed(), `"url":"${path}?…"`)
  t.notMatch(printed(), /jane|0123456789abcdef/)
})
