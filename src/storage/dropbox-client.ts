// Dropbox's HTTP API: access tokens made of the refresh token, requests tried again where that helps, errors without secrets.
import { setTimeout as delay } from 'node:timers/promises'
import { bodyOf, foreignJson } from '../json/foreign.ts'
import { untilResponse } from './guarded.ts'
import { StorageFailure } from './storage.ts'

export interface DropboxAccess {
  clientId: string
  clientSecret: string
  /** The app's lasting permission; access tokens are made of it. */
  refreshToken: string
  /** Base URLs of another server, which tests use. */
  urls?: { api: string; content: string } | undefined
}

/** What the API says about a request that it understood: the path of tags in its error. */
export class DropboxRefusal extends StorageFailure {
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

const tries = 4
/** Milliseconds for a small request, before the first and between later tries, and of a token's life that are not used. */
const smallTime = 10_000
const firstPause = 100
const maxPause = 5000
const tokenReserve = 60_000
/** Bytes of a response that are read: a page of a folder has 2,000 entries at most. */
const maxResponseBytes = 8 * 1024 * 1024

const production = { api: 'https://api.dropboxapi.com', content: 'https://content.dropboxapi.com' }

const isPassing = (status: number) => status === 429 || status >= 500

export function dropboxClient({ clientId, clientSecret, refreshToken, urls = production }: DropboxAccess) {
  let known: { token: Promise<string>; until: number } | undefined

  /** Sends until there is a response that another try would not change. */
  async function send({ url, signal, ...request }: Call): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      let reason = 'no response'
      const response = await fetch(url, { method: 'POST', redirect: 'error', signal, ...request }).catch(
        (error: unknown) => {
          if (signal.aborted) throw new StorageFailure('Dropbox failed: it did not respond in time.')
          const code: unknown = Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code')
          if (/^[A-Z_]{1,40}$/.test(String(code))) reason = String(code)
        },
      )
      if (response && !isPassing(response.status)) return response
      if (response) reason = `HTTP ${response.status}`
      const failure = new StorageFailure(`Dropbox failed: ${reason}.`)
      const asked = Number(response?.headers.get('retry-after') ?? 0) * 1000
      await response?.body?.cancel()
      if (attempt === tries || !(asked <= maxPause)) throw failure
      const pause = Math.max(asked, firstPause * 2 ** (attempt - 1) * (1 + Math.random()))
      await delay(pause, undefined, { signal }).catch(() => {
        throw failure
      })
    }
  }

  async function newToken(): Promise<string> {
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
    if (known) known.until = performance.now() + Number(expires_in ?? 0) * 1000 - tokenReserve
    return access_token
  }

  /** One token for all requests of its time. */
  function token(): Promise<string> {
    if (!known || performance.now() > known.until) {
      const made = { token: newToken(), until: performance.now() + smallTime }
      known = made
      made.token.catch(() => {
        if (known === made) known = undefined
      })
    }
    return known.token
  }

  async function authorized(call: Call): Promise<Response> {
    for (let isSecond = false; ; isSecond = true) {
      const used = await token()
      const response = await send({ ...call, headers: { ...call.headers, authorization: `Bearer ${used}` } })
      if (response.status === 401 && !isSecond) {
        await response.body?.cancel()
        // It was withdrawn, or has expired before its time.
        if (known && (await known.token.catch(() => used)) === used) known = undefined
        continue
      }
      if (response.ok) return response
      const { error_summary, error } = await readableObject(response)
      if (response.status !== 409) throw new StorageFailure(`Dropbox failed: HTTP ${response.status}.`)
      throw new DropboxRefusal(String(error_summary ?? ''), Object(error))
    }
  }

  return {
    /** An endpoint that takes and gives JSON. */
    async ask(path: string, about: object): Promise<Record<string, unknown>> {
      const response = await authorized({
        url: `${urls.api}/2/${path}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(about),
        signal: AbortSignal.timeout(smallTime),
      })
      return objectOf(response)
    },

    /** An endpoint that takes the bytes of a file. */
    async upload(
      path: string,
      about: object,
      bytes: Uint8Array<ArrayBuffer>,
      signal: AbortSignal,
    ): Promise<Record<string, unknown>> {
      const headers = { 'content-type': 'application/octet-stream', 'dropbox-api-arg': headerJson(about) }
      // Some endpoints respond null, and what was accepted is stored whatever becomes of the response.
      return readableObject(
        await authorized({ url: `${urls.content}/2/${path}`, headers, body: bytes, signal }),
      )
    },

    /** An endpoint that gives the bytes of a file, whose time is the reader's. */
    download(path: string, about: object): Promise<Response> {
      const headers = { 'dropbox-api-arg': headerJson(about) }
      const url = `${urls.content}/2/${path}`
      return untilResponse(smallTime, (signal) => authorized({ url, headers, body: '', signal }))
    },
  }
}

/** Headers hold ASCII alone. */
const headerJson = (about: object) =>
  JSON.stringify(about).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * @throws StorageFailure for what is cut off, too long or no object: an empty one would say that there is no such file, or
 *   that a folder ends here
 */
async function objectOf(response: Response): Promise<Record<string, unknown>> {
  const body = foreignJson(await bodyOf(response, maxResponseBytes).catch(() => ''))
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new StorageFailure('Dropbox failed: its response cannot be read.')
}

/** The same where an empty object means that nothing is known. */
const readableObject = (response: Response) => objectOf(response).catch((): Record<string, unknown> => ({}))
