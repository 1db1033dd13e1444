// Finds the port to listen on before anything is stored, because the URLs of the host contain it; and the host's URL.
import { createServer } from 'node:net'

const usual = 3000
/** How many ports are tried after the usual one. */
const others = 20

/**
 * @param wanted a port, or 0 for any free one; undefined: the usual one, else the next that is free
 * @throws Error of `listen` if the port is taken or the host is not an interface of this machine
 */
export async function portToUse(host: string, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) return tried(host, wanted)
  for (let port = usual; port < usual + others; port++) {
    const found = await tried(host, port).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
    })
    if (found === undefined) continue
    if (found !== usual)
      console.log(`Port ${usual} is taken, so this host takes ${found}. PORT chooses another one.`)
    return found
  }
  return tried(host, 0)
}

/** The URL under which this machine reaches the host: addresses that mean all interfaces are nothing that a browser can open. */
export function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** The port, if it is free. */
function tried(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
}
