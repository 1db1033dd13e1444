// Ports for programs that must be told one before they listen.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of 127.0.0.1 that is free now, below those that the system gives to connections of others meanwhile. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(randomInt(20_000, 32_768), '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return freePort()
  }
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
