import t from 'tap'
import { rule } from './support/rule.ts'
import { fuzz } from './support/fuzz.ts'
t.setTimeout(600_000)
rule('x', async (_t, host) => {
  _t.setTimeout(600_000)
  const s = Date.now()
  try { console.error(host.engine, await fuzz(host, 3000, Number(process.env.SEED ?? 7)), Date.now()-s) } catch (e) { console.error(host.engine, String((e as Error).message).slice(0, 1500), String((e as Error & {cause:Error}).cause?.stack).slice(0,1500)) }
})
