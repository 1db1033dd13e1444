// Requests to the API of Printful, version 1: bounded, without redirects, and without the token in errors.
import { setTimeout as delay } from 'node:timers/promises'
import { membersOf } from '../../core/foreign.ts'
import { outboundSpans } from '../../core/trace.ts'
import { bodyOf, foreignJson } from '../../json/untrusted.ts'
import { isObject } from '../../json/values.ts'
import { retryAfterSeconds } from '../../outbound/guarded-request.ts'
import { ProviderRefused, ProviderUnavailable } from './provider.ts'

/** An order as the provider returns it; its content is untrusted. */
export type RemoteOrder = Record<string, unknown>

/** The requests of one call of the provider. */
export type PrintfulApi = ReturnType<typeof printfulApi>

interface Settings {
  /** Base URL without a slash at the end. */
  url: string
  token: string
  /** Aborts every request and every wait. */
  signal: AbortSignal
}

const maxBody = 4 * 1024 * 1024
/** Maximum characters of the provider's reason that are passed on. */
const maxReason = 1000
/** Maximum seconds that one call waits for the rate limit; the caller retries after longer ones. */
const maxWait = 20
/** Seconds of a rate limit whose response contains none: the provider counts per minute. */
const defaultLimit = 60

/** Requests with one token; they share the time that they wait for the rate limit. @throws ProviderRefused for a token that cannot be sent */
export function printfulApi({ url, token, signal }: Settings) {
  if (!/^[\x21-\x7e]{1,500}$/.test(token)) {
    throw new ProviderRefused('The API token of the print provider contains characters that cannot be sent.')
  }
  let waitedSeconds = 0

  /** One request. @throws ProviderUnavailable if there is no response */
  async function send(method: string, path: string, body: object | undefined) {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'svc-api',
      ...(body && { 'content-type': 'application/json' }),
    }
    const span = { purpose: 'print-provider', method, origin: new URL(url).origin } as const
    try {
      return await outboundSpans.around(span, async () => {
        const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
        const response = await fetch(url + path, { ...request, redirect: 'manual', signal })
        const { status, headers: received } = response
        return { status, retryAfter: received.get('retry-after'), text: await bodyOf(response, maxBody) }
      })
    } catch (error) {
      const mayArrive = method !== 'GET' && signal.aborted
      throw new ProviderUnavailable('The print provider could not be reached.', { cause: error, mayArrive })
    }
  }

  /** The `result` of the response; undefined for 404, except of a POST, whose path is a collection. Waits for the rate limit. */
  async function call(method: string, path: string, body?: object): Promise<RemoteOrder | undefined> {
    for (;;) {
      signal.throwIfAborted()
      const { status, retryAfter, text } = await send(method, path, body)
      if (status === 429) {
        const seconds = secondsOf(retryAfter) ?? defaultLimit
        if (waitedSeconds + seconds > maxWait) {
          const message = 'The rate limit of the print provider is reached.'
          throw new ProviderUnavailable(message, { retryAfter: seconds })
        }
        waitedSeconds += seconds
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
    const { message } = membersOf(error)
    const reason = [message, result].find((value) => typeof value === 'string' && value.trim() !== '')
    const plain = String(reason ?? 'no reason was given')
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
    /** Undefined when there is no such order. */
    get: (path: string) => call('GET', path),
    post: (path: string, body: object) => write('POST', path, body),
    put: (path: string, body: object) => write('PUT', path, body),
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  const value = foreignJson(text)
  return isObject(value) ? value : undefined
}

function resultOf(text: string): RemoteOrder | undefined {
  const result = parsed(text)?.result
  return isObject(result) ? result : undefined
}

/** Whole seconds from 1 to 3600 in a Retry-After. */
function secondsOf(header: string | null): number | undefined {
  const seconds = retryAfterSeconds(header ?? '')
  return seconds === undefined ? undefined : Math.min(3600, Math.max(1, Math.ceil(seconds)))
}
