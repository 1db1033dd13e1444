// The everyday fuzz test with 20,000 runs on each engine and a new seed each time, which a failure reports.
import t from 'tap'
import { fuzz, fuzzed, fuzzSocket } from '../support/hostile/fuzz.ts'

t.setTimeout(3_600_000)
const seed = Number(process.env.SVC_FUZZ_SEED ?? Date.now() % 2 ** 31)

fuzzed('20,000 requests do not make the API fail, and what was written reads back', async (t, host) => {
  const counts = await fuzz(host, 20_000, seed)
  t.comment(`${host.engine}, seed ${seed}: ${JSON.stringify(counts)}`)
  t.equal((await host.call('GET', '/system')).status, 200)
})

fuzzed('5,000 connections full of odd bytes do not make the API fail', async (t, host) => {
  const counts = await fuzzSocket(host, 5000, seed)
  t.comment(`${host.engine}, seed ${seed}: ${JSON.stringify(counts)}`)
  t.equal((await host.call('GET', '/system')).status, 200)
})
