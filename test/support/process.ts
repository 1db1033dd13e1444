/** Starts other processes on a test's database, for the rules that must hold between processes. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Order, PeerAnswer, PeerRequest } from './peer.ts'

export interface Peer {
  /** Sends all requests at once and answers when the last is done. */
  requests(requests: PeerRequest[]): Promise<PeerAnswer[]>
  /** Gives any other order. */
  order(order: Order): Promise<unknown>
}

/** A second node process that does nothing yet; it ends with the test. */
export async function startPeer(t: Test): Promise<Peer> {
  const child = fork(join(import.meta.dirname, 'peer.ts'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 2, 'ipc'],
  })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    if (child.connected) child.disconnect()
    await ended
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
  function order(order: Order): Promise<unknown> {
    const id = orders++
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    child.send({ id, order })
    return answer.promise
  }
  return {
    order,
    requests: async (requests) => (await order({ do: 'requests', requests })) as PeerAnswer[],
  }
}

/** `count` processes that serve the API on `database`. */
export async function servingPeers(t: Test, database: string, token: string, count = 2): Promise<Peer[]> {
  const peers = await Promise.all(Array.from({ length: count }, () => startPeer(t)))
  await Promise.all(peers.map((peer) => peer.order({ do: 'serve', database, token })))
  return peers
}

/** Deals the requests out to all peers in turn and sends all of them at once; the answers stand in the requests' order. */
export async function fireAtOnce(peers: Peer[], requests: PeerRequest[]): Promise<PeerAnswer[]> {
  const responses = await Promise.all(
    peers.map((peer, at) => peer.requests(requests.filter((_, i) => i % peers.length === at))),
  )
  return requests.map((_, i) => responses[i % peers.length]?.[Math.floor(i / peers.length)] as PeerAnswer)
}
