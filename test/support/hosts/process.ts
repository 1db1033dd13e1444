/** Starts other processes on a test's database, for guarantees between processes. */
import { type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PeerRequest, PeerResponse, PeerTask } from './peer.ts'

export interface Peer {
  /** Sends all requests concurrently and resolves when the last is done. */
  requests(requests: PeerRequest[]): Promise<PeerResponse[]>
  /** Sends any other task. */
  order(order: PeerTask): Promise<unknown>
}

/** A peer and whether its process keeps this one running. */
interface Started extends Peer {
  isAlive(): boolean
  hold(isHeld: boolean): void
}

const idle: Started[] = []

/** A Node process of the test's own whose clock is so many milliseconds ahead, or behind if it is negative. */
export async function shiftedPeer(t: Test, milliseconds: number): Promise<Peer> {
  const peer = await start({
    execArgv: ['--import', join(import.meta.dirname, 'shifted-clock.ts')],
    env: { ...process.env, SVC_TEST_CLOCK_SHIFT: String(milliseconds) },
  })
  t.teardown(async () => {
    await peer.order({ do: 'leave' })
    peer.hold(false)
  })
  return peer
}

/** An idle Node process, which becomes idle again with the test, for the next one: each takes a second to start. */
export async function startPeer(t: Test): Promise<Peer> {
  const peer = idle.pop() ?? (await start())
  peer.hold(true)
  t.teardown(async () => {
    if (!peer.isAlive()) return
    await peer.order({ do: 'leave' })
    peer.hold(false)
    idle.push(peer)
  })
  return peer
}

/** The process ends with this one, at the latest. */
async function start(options: Pick<ForkOptions, 'execArgv' | 'env'> = { execArgv: [] }): Promise<Started> {
  const child = fork(join(import.meta.dirname, 'peer.ts'), {
    ...options,
    stdio: ['ignore', 'ignore', 2, 'ipc'],
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  child.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
    if (error === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(error))
    waiting.delete(id)
  })
  child.once('exit', () => {
    for (const promise of waiting.values()) promise.reject(new Error('The peer process is gone.'))
  })
  await once(child, 'spawn')

  let orders = 0
  function order(order: PeerTask): Promise<unknown> {
    const id = orders++
    const response = Promise.withResolvers<unknown>()
    waiting.set(id, response)
    child.send({ id, order })
    return response.promise
  }
  return {
    order,
    isAlive: () => child.connected && child.exitCode === null,
    hold(isHeld) {
      for (const handle of [child, child.channel]) {
        if (isHeld) handle?.ref()
        else handle?.unref()
      }
    },
    requests: async (requests) => (await order({ do: 'requests', requests })) as PeerResponse[],
  }
}

/** `count` processes that serve the API on `database`. */
export async function servingPeers(t: Test, database: string, token: string, count = 2): Promise<Peer[]> {
  const peers = await Promise.all(Array.from({ length: count }, () => startPeer(t)))
  await Promise.all(peers.map((peer) => peer.order({ do: 'serve', database, token })))
  return peers
}

/** Distributes the requests over all peers and sends them concurrently. The responses are in the order of the requests. */
export async function sendConcurrently(peers: Peer[], requests: PeerRequest[]): Promise<PeerResponse[]> {
  const responses = await Promise.all(
    peers.map((peer, at) => peer.requests(requests.filter((_, i) => i % peers.length === at))),
  )
  return requests.map((_, i) => responses[i % peers.length]?.[Math.floor(i / peers.length)] as PeerResponse)
}
