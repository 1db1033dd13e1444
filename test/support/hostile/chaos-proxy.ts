// A TCP proxy in front of a real database, which fails on demand.
import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'

/** From the client's view: `up` is to the server, `down` is from it. */
type Direction = 'up' | 'down'

type Fate = 'break' | 'hang' | { errno: number }

export type Fault =
  | { kind: 'none' }
  /** Delays each chunk by this many milliseconds. */
  | { kind: 'delay'; ms: number }
  | { kind: 'throttle'; bytesPerSecond: number }
  /** Breaks connections after that many bytes, counted from when they were opened. */
  | { kind: 'cut'; direction: Direction; after: number }
  /** Accepts connections and keeps them open, but forwards nothing, or nothing in one direction. */
  | { kind: 'swallow'; direction?: Direction }
  /** Breaks connections, and new ones immediately. */
  | { kind: 'refuse' }
  /**
   * Once, when the client sends `text`: forwards it or not; if so, waits for the response and withholds it. Then the connection
   * breaks, or hangs from then on, or an error of this number comes instead.
   */
  | { kind: 'at'; text: string; forwarded: boolean; next: Fate }

export interface ChaosProxy {
  /** The URL of the same database through the proxy. */
  through(address: string): string
  /** Sets the fault from now on, for existing and new connections. */
  suffer(fault: Fault): void
  /** How often the fault has occurred since the last `suffer`. */
  readonly strikes: number
  /** How many connections were accepted so far. */
  readonly opened: number
  /** How many connections are open. */
  readonly open: number
}

/** The response of a server to a statement that failed. */
function errorPacket(errno: number): Buffer {
  const payload = Buffer.concat([Buffer.of(0xff, errno & 0xff, errno >> 8), Buffer.from('#HY000failed')])
  return Buffer.concat([Buffer.of(payload.length, 0, 0, 1), payload])
}

/** Breaks a connection. Node never closes a socket that is reset while it is ending, and then does not exit, either. */
export function reset(socket: Socket): void {
  if (socket.writable) socket.resetAndDestroy()
  else socket.destroy()
}

/** Starts a proxy to the server of `address`, which is closed with the test. */
export async function chaosProxy(t: Test, address: string): Promise<ChaosProxy> {
  const target = { host: new URL(address).hostname, port: Number(new URL(address).port) }
  const links = new Set<{ client: Socket; server: Socket }>()
  let fault: Fault = { kind: 'none' }
  let strikes = 0
  let opened = 0

  const listener = createServer((client) => {
    if (fault.kind === 'refuse') {
      strikes++
      reset(client)
      return
    }
    const link = { client, server: dial(target) }
    links.add(link)
    opened++
    const state = { up: 0, down: 0, fate: undefined as Fate | undefined, hung: false }
    const breakOff = () => {
      links.delete(link)
      reset(client)
      reset(link.server)
    }

    function meet(fate: Fate): void {
      if (typeof fate === 'object') return void client.write(errorPacket(fate.errno))
      if (fate === 'break') breakOff()
      state.hung = true
    }

    /** Whether the chunk is forwarded. */
    async function judge(piece: Buffer, direction: Direction): Promise<boolean> {
      const now = fault
      state[direction] += piece.length
      if (direction === 'down' && state.fate) {
        meet(state.fate)
        state.fate = undefined
        return false
      }
      if (state.hung) return false
      switch (now.kind) {
        case 'delay':
          await delay(now.ms)
          return true
        case 'throttle':
          await delay((piece.length / now.bytesPerSecond) * 1000)
          return true
        case 'swallow':
          if (now.direction && now.direction !== direction) return true
          strikes++
          return false
        case 'cut':
          if (now.direction !== direction || state[direction] < now.after) return true
          strikes++
          breakOff()
          return false
        case 'at':
          if (direction !== 'up' || !piece.includes(now.text)) return true
          fault = { kind: 'none' }
          strikes++
          if (now.forwarded) state.fate = now.next
          else meet(now.next)
          return now.forwarded
        default:
          return true
      }
    }

    function pump(from: Socket, to: Socket, direction: Direction): void {
      from.on('data', async (piece: Buffer) => {
        from.pause()
        if ((await judge(piece, direction)) && to.writable) to.write(piece)
        from.resume()
      })
      from.on('end', () => to.end())
      from.on('error', () => {})
      from.on('close', () => {
        links.delete(link)
        to.destroy()
      })
    }
    pump(client, link.server, 'up')
    pump(link.server, client, 'down')
  })

  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const breakAll = () => {
    for (const { client, server } of links) {
      reset(client)
      reset(server)
    }
  }
  t.teardown(() => {
    breakAll()
    return new Promise<void>((resolve) => listener.close(() => resolve()))
  })
  return {
    through: (of) => Object.assign(new URL(of), { hostname: '127.0.0.1', port: String(port) }).href,
    suffer(next) {
      fault = next
      strikes = 0
      if (next.kind === 'refuse') breakAll()
    },
    get strikes() {
      return strikes
    },
    get opened() {
      return opened
    },
    get open() {
      return links.size
    },
  }
}
