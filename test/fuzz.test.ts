// Requests that fast-check makes from the routes' schemas, right and wrong: none may make the API fail.
import { fuzz, fuzzed, fuzzSocket } from './support/hostile/fuzz.ts'

const seed = 20_260_401

fuzzed('no request makes the API fail, and what was written reads back', async (t, host) => {
  const counts = await fuzz(host, 200, seed)
  t.ok(counts[200] && counts[201] && counts[400] && counts[404])
  t.equal((await host.call('GET', '/system')).status, 200)
})

fuzzed('no bytes on a connection make the API fail', async (t, host) => {
  const counts = await fuzzSocket(host, 40, seed)
  t.ok(counts[200] && counts[400])
  t.equal((await host.call('GET', '/system')).status, 200)
})
