// Requests to the API of Printful, version 1: bounded, without redirects, and without the token in errors.
import { setTimeout as delay } from 'node:timers/promises'
import { outboundSpans } from '../../core/trace.ts'
import { foreignJson } from '../../json/foreign.ts'
import { isObject } from '../../json/values.ts'
import { ProviderRefused, ProviderUnavailable } from './provider.ts'

/** An order as the provider returns it; its content is untrusted. */
export type RemoteOrder = Record<string, unknown>

export interface PrintfulApi {
  /** Undefined when there is no such order. */
  get(path: string): Promise<RemoteOrder | undefined>
  post(path: string, body: object): Promise<RemoteOrder>
  put(path: string, body: object): Promise<RemoteOrder>
}

interface Settings {
  /** Base URL without a slash at the end. */
  url: string
  token: string
  /** Aborts every request and every wait. */
  signal: AbortSignal
}

/** Maximum bytes of a response. */
const maxBody = 4 * 1024 * 1024
/** Maximum characters of the provider's reason that are passed on. */
const maxReason = 1000
/** Maximum seconds that one call waits for the rate limit; the caller retries after longer ones. */
const patience = 20
/** Seconds of a rate limit whose response contains none: the provider counts per minute. */
const usualLimit = 60

/** @throws ProviderRefused for a token that cannot be sent */
export function printfulApi({ url, token, signal }: Settings): PrintfulApi {
  if (!/^[\x21-\x7e]{1,500}$/.test(token)) {
    throw new ProviderRefused('The API token of the print provider contains characters that cannot be sent.')
  }
  let waited = 0

  async function send(method: string, path: string, body: object | undefined) {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'svc-api',
      ...(body && { 'content-type': 'application/json' }),
    }
    const about = { purpose: 'print-provider', method, origin: new URL(url).origin } as const
    try {
      return await outboundSpans.around(about, async () => {
        const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
        const response = await fetch(url + path, { ...request, redirect: 'manual', signal })
        const { status, headers: received } = response
        return { status, retryAfter: received.get('retry-after'), text: await textOf(response) }
      })
    } catch (error) {
      const mayArrive = method !== 'GET' && signal.aborted
      throw new ProviderUnavailable('The print provider could not be reached.', { cause: error, mayArrive })
    }
  }

  /** The `result` of the response; undefined for 404, unless the collection is missing. */
  async function call(method: string, path: string, body?: object): Promise<RemoteOrder | undefined> {
    for (;;) {
      signal.throwIfAborted()
      const { status, retryAfter, text } = await send(method, path, body)
      if (status === 429) {
        const seconds = secondsOf(retryAfter) ?? usualLimit
        if (waited + seconds > patience) {
          const message = 'The rate limit of the print provider is reached.'
          throw new ProviderUnavailable(message, { retryAfter: seconds })
        }
        waited += seconds
        await delay(seconds * 1000, undefined, { signal })
        continue
      }
      if (status === 404 && method !== 'POST') return undefined
      if (status >= 400 && status < 500) throw new ProviderRefused(reasonOf(status, text))
      const result = status >= 200 && status < 300 ? resultOf(text) : undefined
      if (result) return result
      const seconds = secondsOf(retryAfter)
      const message = `The response of the print provider cannot be used (status ${status}).`
      throw new ProviderUnavailable(message, seconds === undefined ? {} : { retryAfter: seconds })
    }
  }

  /** The provider's reason for a refusal, with the token removed. */
  function reasonOf(status: number, text: string): string {
    const { result, error } = parsed(text) ?? {}
    const { message } = Object(error)
    const words = [message, result].find((value) => typeof value === 'string' && value.trim() !== '')
    const plain = String(words ?? 'no reason was given')
      .replaceAll(token, '…')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, maxReason)
      .toWellFormed()
    return `The print provider refused the order (${status}): ${plain.replace(/\.?$/, '.')}`
  }

  async function write(method: string, path: string, body: object): Promise<RemoteOrder> {
    const order = await call(method, path, body)
    // It existed just before; the next attempt creates it again.
    if (!order) throw new ProviderUnavailable('The order is gone from the print provider.')
    return order
  }

  return {
    get: (path) => call('GET', path),
    post: (path, body) => write('POST', path, body),
    put: (path, body) => write('PUT', path, body),
  }
}

/** @throws Error for a body that is too long */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBody) throw new Error(`The response is longer than ${maxBody} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parsed(text: string): Record<string, unknown> | undefined {
  const value = foreignJson(text)
  return isObject(value) ? value : undefined
}

function resultOf(text: string): RemoteOrder | undefined {
  const result = parsed(text)?.result
  return isObject(result) ? result : undefined
}

/** Whole seconds from 1 to 3600 in a Retry-After, which may be a date; undefined if it is neither. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(3600, Math.max(1, Math.ceil(seconds)))
}
