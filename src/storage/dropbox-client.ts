// Sends requests to the HTTP API of Dropbox (dropbox.com/developers/documentation/http): gets access tokens for the refresh token
// (RFC 6749 §6), retries failures that may pass, and throws errors without secrets.
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode, membersOf } from '../core/foreign.ts'
import { bodyOf, foreignJson } from '../json/untrusted.ts'
import { StorageFailure } from './storage.ts'
import { untilResponse } from './until-response.ts'

/** An app of Dropbox, and its permission for an account. */
export interface DropboxAccess {
  clientId: string
  clientSecret: string
  /** The lasting permission, for which the API returns access tokens. */
  refreshToken: string
  /** Base URLs of another server, which tests use. */
  urls?: { api: string; content: string } | undefined
}

/** An error of an endpoint (409), such as a file that does not exist; `summary` and `details` say which. */
export class DropboxRefusal extends StorageFailure {
  /** The tags of the error, such as `path/not_found/..`. */
  readonly summary: string
  /** The error object of the endpoint. */
  readonly details: Record<string, unknown>

  constructor(summary: string, details: Record<string, unknown>) {
    super(`Dropbox refused: ${/^[a-z_]+(\/[a-z_]+)*/.exec(summary)?.[0] ?? 'for no known reason'}.`)
    this.summary = summary
    this.details = details
  }
}

interface Call {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer>
  signal: AbortSignal
}

/** Tries of one request while its failures may pass. */
const maxTries = 4
/** Milliseconds for a request without the bytes of a file, its repetitions included. */
const smallTime = 10_000
/** Milliseconds before the second try, or up to twice as many, by chance; they double with each further one. */
const firstPause = 100
/** Milliseconds; if the API asks for a longer pause (Retry-After), there is no further try. */
const maxPause = 5000
/** Milliseconds before its expiry from which an access token is not used any more. */
const tokenReserve = 60_000
/** Maximum bytes of a response that is no file: a page of a folder has at most 2,000 entries. */
const maxResponseBytes = 8 * 1024 * 1024

const productionUrls = { api: 'https://api.dropboxapi.com', content: 'https://content.dropboxapi.com' }

/** Whether a later try may succeed. */
const mayPass = (status: number) => status === 429 || status >= 500

interface AccessToken {
  text: string
  /** As `performance.now()`; 0 once the API has refused the token. */
  usedUntil: number
}

/** A client of the API. Its functions throw `DropboxRefusal`, or `StorageFailure` for other failures. */
export function dropboxClient({
  clientId,
  clientSecret,
  refreshToken,
  urls = productionUrls,
}: DropboxAccess) {
  /** The access token that requests share, or the request for it; undefined before the first one, and after one that failed. */
  let shared: Promise<AccessToken> | undefined

  /** Sends a request, up to `maxTries` times while failures may pass (429, 5xx, no response). Returns any other response. */
  async function send({ url, signal, ...request }: Call): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, { method: 'POST', redirect: 'error', signal, ...request }).catch(
        (error: unknown) => {
          if (signal.aborted) throw new StorageFailure('Dropbox failed: it did not respond in time.')
          return { networkError: error }
        },
      )
      if (response instanceof Response && !mayPass(response.status)) return response
      const isResponse = response instanceof Response
      const reason = isResponse ? `HTTP ${response.status}` : networkReason(response.networkError)
      const failure = new StorageFailure(`Dropbox failed: ${reason}.`)
      const requestedPause = Number((isResponse && response.headers.get('retry-after')) || 0) * 1000
      if (isResponse) await response.body?.cancel()
      if (attempt === maxTries || !(requestedPause <= maxPause)) throw failure
      const pause = Math.max(requestedPause, firstPause * 2 ** (attempt - 1) * (1 + Math.random()))
      await delay(pause, undefined, { signal }).catch(() => {
        throw failure
      })
    }
  }

  async function requestToken(): Promise<AccessToken> {
    const response = await send({
      url: `${urls.api}/oauth2/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      }).toString(),
      signal: AbortSignal.timeout(smallTime),
    })
    const { access_token, expires_in } = await readableObject(response)
    if (!response.ok || typeof access_token !== 'string') {
      throw new StorageFailure(`Dropbox gave no access token: HTTP ${response.status}.`)
    }
    const lifetime = Number(expires_in ?? 0) * 1000
    return { text: access_token, usedUntil: performance.now() + lifetime - tokenReserve }
  }

  /** The shared access token, or a new one after it has expired or was refused. */
  async function accessToken(): Promise<AccessToken> {
    const current = shared
    const token = await current
    if (token && !(performance.now() > token.usedUntil)) return token
    // Otherwise a concurrent call has requested a new one meanwhile.
    if (shared === current) {
      shared = requestToken().catch((error) => {
        shared = undefined
        throw error
      })
    }
    return shared ?? accessToken()
  }

  /** Sends a request with an access token; once more with a new token if the API refuses the first one (401). */
  async function authorized(call: Call): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const token = await accessToken()
      const headers = { ...call.headers, authorization: `Bearer ${token.text}` }
      const response = await send({ ...call, headers })
      if (response.status === 401 && attempt === 1) {
        await response.body?.cancel()
        token.usedUntil = 0
        continue
      }
      if (response.ok) return response
      const { error_summary, error } = await readableObject(response)
      if (response.status !== 409) throw new StorageFailure(`Dropbox failed: HTTP ${response.status}.`)
      throw new DropboxRefusal(String(error_summary ?? ''), membersOf(error))
    }
  }

  return {
    /** Calls an endpoint that takes and returns JSON. */
    async call(path: string, args: object): Promise<Record<string, unknown>> {
      const response = await authorized({
        url: `${urls.api}/2/${path}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(args),
        signal: AbortSignal.timeout(smallTime),
      })
      return objectOf(response)
    },

    /** Calls an endpoint that takes the bytes of a file. Returns its JSON, or an empty object if that cannot be read. */
    async upload(
      path: string,
      args: object,
      bytes: Uint8Array<ArrayBuffer>,
      signal: AbortSignal,
    ): Promise<Record<string, unknown>> {
      const headers = { 'content-type': 'application/octet-stream', 'dropbox-api-arg': headerJson(args) }
      // Some endpoints return null, and accepted bytes are stored even if the response is lost.
      return readableObject(
        await authorized({ url: `${urls.content}/2/${path}`, headers, body: bytes, signal }),
      )
    },

    /** Calls an endpoint that returns the bytes of a file. The time limit is that of the headers, not of the bytes. */
    download(path: string, args: object): Promise<Response> {
      const headers = { 'dropbox-api-arg': headerJson(args) }
      const url = `${urls.content}/2/${path}`
      return untilResponse(smallTime, (signal) => authorized({ url, headers, body: '', signal }))
    },
  }
}

/** The error code of a failed fetch. */
function networkReason(error: unknown): string {
  const code = errorCode(membersOf(error).cause) ?? ''
  return /^[A-Z_]{1,40}$/.test(code) ? code : 'no response'
}

/** JSON for a header, which may contain only ASCII. */
const headerJson = (args: object) =>
  JSON.stringify(args).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * The JSON object of a response.
 * @throws StorageFailure if it is cut off, too long or no object: an empty object would mean that a file does not exist, or that a
 *   folder has no more entries
 */
async function objectOf(response: Response): Promise<Record<string, unknown>> {
  const body = foreignJson(await bodyOf(response, maxResponseBytes).catch(() => ''))
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new StorageFailure('Dropbox failed: its response cannot be read.')
}

/** The same; an empty object if it cannot be read. */
const readableObject = (response: Response) => objectOf(response).catch((): Record<string, unknown> => ({}))
