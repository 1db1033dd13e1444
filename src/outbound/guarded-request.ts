// Sends one request to a URL that another party named: only to addresses that were checked, and that are public unless the host is trusted.
import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { until } from '../core/step.ts'
import { isPublic } from './addresses.ts'

/** Finds all IP addresses of a host name, in the form of `dns.promises.lookup` with `all`. Rejects if there are none. */
export type Lookup = (host: string) => Promise<LookupAddress[]>

/** The lookup of the system; tests pass others. */
export const systemLookupAll: Lookup = (host) => systemLookup(host, { all: true })

/** How a request is sent. */
export interface GuardedRequest extends Pick<RequestOptions, 'method' | 'headers'> {
  body?: string
  /** Whether the host may have private addresses: true for hosts that the shop's operator names. */
  isTrusted: boolean
  lookup: Lookup
  /** Ends the lookup, the request, and the reading of its response. */
  signal: AbortSignal
}

/** The host name of a URL in lower case, without the dot that may end it and without the brackets of an IPv6 address. */
export const hostNameOf = (url: URL) => url.hostname.replace(/^\[|\]$|\.$/g, '')

/** The module for the protocol of a URL. Not imported: an import of `node:http` loads all its parts, such as WebSockets, 40 ms and 14 MB. */
const clientOf = ({ protocol }: URL) =>
  protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')

/** Maximum number of 1xx responses before the final one. */
const maxInterim = 20

/** The addresses of the host, the only ones that the connection uses. @throws Error unless all are public or the host is trusted */
async function addressesOf(
  url: URL,
  { lookup, isTrusted }: Pick<GuardedRequest, 'lookup' | 'isTrusted'>,
): Promise<LookupAddress[]> {
  const host = hostNameOf(url)
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await lookup(host)
  const arePublic = addresses.length > 0 && addresses.every(({ address }) => isPublic(address))
  if (!arePublic && !isTrusted) throw new Error('The address is not public.')
  return addresses
}

/**
 * Sends one request and resolves to its response once the headers have arrived; a redirect is a response, too, and is not
 * followed. Settles however the connection ends.
 * @throws Error of the network, if an address is not public, or after an abort (an AbortError whose cause is the reason of the signal, or
 *   that reason itself during the lookup)
 */
export async function guardedRequest(
  url: URL,
  { body, isTrusted, lookup, signal, ...options }: GuardedRequest,
): Promise<IncomingMessage> {
  const addresses = await until(signal, addressesOf(url, { lookup, isTrusted }))
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { request } = clientOf(url)
  const call = request(url, {
    ...options,
    // No connection is shared, and no proxy of the environment is used.
    agent: false,
    signal,
    // Not called for an IP address in the URL itself, which is used as it was checked.
    lookup: (_host, { all }, done) => {
      const [first] = addresses
      if (all) done(null, addresses)
      else done(null, first?.address ?? '', first?.family)
    },
  })
  let interim = 0
  const refuse = (_response: IncomingMessage, socket: Duplex) => {
    socket.destroy()
    reject(new Error('The server switched protocols.'))
  }
  call
    .on('response', resolve)
    .on('error', reject)
    .on('upgrade', refuse)
    .on('connect', refuse)
    .on('information', () => {
      if (++interim > maxInterim) call.destroy(new Error('Too many interim responses.'))
    })
    // Some failures emit only this event; after a response it has no effect.
    .on('close', () => reject(new Error('The connection was closed without a response.')))
    .end(body)
  return promise
}

/** The seconds that a Retry-After header asks to wait, as a number or a date (RFC 9110 §10.2.3); undefined if it is neither. */
export function retryAfterSeconds(header: string): number | undefined {
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
