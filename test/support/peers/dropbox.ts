// A stand-in for Dropbox's HTTP API, written from its public reference: tokens, files, upload sessions, shared links,
// paging, and the errors of its endpoints. State lies in memory; faults are scripted.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export const app = {
  clientId: 'app-key-of-the-test',
  clientSecret: 'app-secret-of-the-test',
  refreshToken: 'refresh-of-the-test',
}

interface Entry {
  display: string
  bytes: Buffer
  modified: Date
  id: string
}

/** What goes wrong with requests to an endpoint. */
export interface Fault {
  /** Part of the path, such as `upload_session/finish`. */
  at: string
  /** A status with its `Retry-After` and body; `cut` breaks the connection before, `lost` after the work is done, `half` in the middle of the response. */
  what: { status: number; retryAfter?: number; body?: string } | 'cut' | 'lost' | 'half' | 'hang'
  /** How many requests; default 1. */
  times?: number
}

/** Entries of one page of a folder: real pages hold more. */
const pageSize = 50
const maxInUpload = 150 * 1024 * 1024
const partMultiple = 4 * 1024 * 1024

class Refusal extends Error {
  readonly error: object
  constructor(summary: string, error: object) {
    super(`${summary}/..`)
    this.error = error
  }
}

class BadRequest extends Error {}

const tagged = (tag: string, inner?: object) => ({ '.tag': tag, ...(inner && { [tag]: inner }) })
const refuse = (...tags: string[]) =>
  new Refusal(
    tags.join('/'),
    tags.toReversed().reduce<object | undefined>((inner, tag) => tagged(tag, inner), undefined) ?? {},
  )

export async function dropboxServer(port = 0) {
  const files = new Map<string, Entry>()
  const sessions = new Map<string, { chunks: Buffer[]; size: number; closed: boolean }>()
  const links = new Map<string, string>()
  const cursors = new Map<string, object[]>()
  const tokens = new Set<string>()
  const calls: string[] = []
  const faults: Fault[] = []
  let tokenSeconds = 14_400
  let largest = 0
  let watcher: ((path: string, isDone: boolean) => void) | undefined

  const metadata = ({ display, bytes, modified, id }: Entry) => ({
    name: display.slice(display.lastIndexOf('/') + 1),
    path_lower: display.toLowerCase(),
    path_display: display,
    id: `id:${id}`,
    client_modified: `${modified.toISOString().slice(0, 19)}Z`,
    server_modified: `${modified.toISOString().slice(0, 19)}Z`,
    rev: '0123456789',
    size: bytes.length,
    is_downloadable: true,
    content_hash: '0'.repeat(64),
  })

  function checkedPath(path: unknown): string {
    if (typeof path !== 'string' || !/^(\/(.|[\r\n])*|id:.*)$/.test(path))
      throw new BadRequest('Error in call: path did not match pattern')
    if (/\/(\.\.?)?(\/|$)|[\\\0]/.test(path)) throw refuse('path', 'malformed_path')
    return path
  }

  const isFolder = (path: string) => [...files.keys()].some((key) => key.startsWith(`${path.toLowerCase()}/`))

  function entryOf(path: string, ...where: string[]): Entry {
    const found = files.get(path.toLowerCase())
    if (!found) throw refuse(...where, isFolder(path) ? 'not_file' : 'not_found')
    return found
  }

  function commit({ path, mode = 'add' }: { path: string; mode?: unknown }, bytes: Buffer) {
    const display = checkedPath(path)
    const tag = typeof mode === 'string' ? mode : Reflect.get(Object(mode), '.tag')
    if (tag !== 'overwrite' && files.has(display.toLowerCase())) throw refuse('path', 'conflict', 'file')
    const entry = {
      display,
      bytes,
      modified: new Date(),
      id: files.get(display.toLowerCase())?.id ?? randomUUID(),
    }
    files.set(display.toLowerCase(), entry)
    return metadata(entry)
  }

  function sessionAt({ session_id, offset }: { session_id: string; offset: number }, ...where: string[]) {
    const session = sessions.get(session_id)
    if (!session) throw refuse(...where, 'not_found')
    if (session.closed) throw refuse(...where, 'closed')
    if (session.size !== offset) {
      const inner = { '.tag': 'incorrect_offset', correct_offset: session.size }
      const error = where.length > 0 ? { '.tag': where[0], [String(where[0])]: inner } : inner
      throw new Refusal([...where, 'incorrect_offset'].join('/'), error)
    }
    return session
  }

  function page(entries: object[]) {
    const cursor = randomUUID()
    cursors.set(cursor, entries.slice(pageSize))
    return { entries: entries.slice(0, pageSize), cursor, has_more: entries.length > pageSize }
  }

  function linkOf(path: string) {
    const entry = entryOf(path, 'path')
    const url =
      links.get(entry.id) ??
      `https://www.dropbox.com/scl/fi/${entry.id}/${encodeURIComponent(metadata(entry).name)}?rlkey=${randomUUID()}&dl=0`
    const isNew = !links.has(entry.id)
    links.set(entry.id, url)
    return { isNew, link: { '.tag': 'file', url, ...metadata(entry) } }
  }

  // biome-ignore lint/suspicious/noExplicitAny: arguments of the API, whose types the endpoints check
  const endpoints: Record<string, (about: any, bytes: Buffer) => object> = {
    'files/upload': (about, bytes) => {
      if (bytes.length > maxInUpload) throw refuse('payload_too_large')
      return commit(about, bytes)
    },
    'files/upload_session/start': (_about, bytes) => {
      const session_id = `session-${randomUUID()}`
      sessions.set(session_id, { chunks: [bytes], size: bytes.length, closed: false })
      return { session_id }
    },
    'files/upload_session/append_v2': ({ cursor }, bytes) => {
      const session = sessionAt(cursor)
      if (session.size % partMultiple !== 0) throw new BadRequest('parts must be multiples of 4 MiB')
      session.chunks.push(bytes)
      session.size += bytes.length
      return {}
    },
    'files/upload_session/finish': ({ cursor, commit: about }, bytes) => {
      const session = sessionAt(cursor, 'lookup_failed')
      const made = commit(about, Buffer.concat([...session.chunks, bytes]))
      session.closed = true
      return made
    },
    'files/get_metadata': ({ path }) => {
      const known = checkedPath(path)
      if (!files.has(known.toLowerCase()) && isFolder(known)) return { '.tag': 'folder', path_display: known }
      return { '.tag': 'file', ...metadata(entryOf(known, 'path')) }
    },
    'files/list_folder': ({ path, recursive = false }) => {
      const folder = path === '' ? '' : checkedPath(path)
      if (folder !== '' && !isFolder(folder)) {
        throw refuse('path', files.has(folder.toLowerCase()) ? 'not_folder' : 'not_found')
      }
      const below = [...files.entries()].filter(([key]) => key.startsWith(`${folder.toLowerCase()}/`))
      const isDirect = ([key]: [string, Entry]) => !key.slice(folder.length + 1).includes('/')
      const shown = below.filter((found) => recursive || isDirect(found))
      const folders = below
        .filter((found) => !isDirect(found))
        .map(([, { display }]) => display.slice(0, display.indexOf('/', folder.length + 1)))
      return page([
        ...[...new Set(folders)].map((name) => ({ '.tag': 'folder', path_display: name, name })),
        ...shown.map(([, entry]) => ({ '.tag': 'file', ...metadata(entry) })),
      ])
    },
    'files/list_folder/continue': ({ cursor }) => {
      const left = cursors.get(cursor)
      if (!left) throw refuse('reset')
      return page(left)
    },
    'files/delete_v2': ({ path }) => {
      const key = checkedPath(path).toLowerCase()
      const found = [...files.keys()].filter((name) => name === key || name.startsWith(`${key}/`))
      if (found.length === 0) throw refuse('path_lookup', 'not_found')
      const [first = ''] = found
      const entry = files.get(first)
      for (const name of found) files.delete(name)
      return { metadata: { '.tag': 'file', ...(entry && metadata(entry)) } }
    },
    'sharing/create_shared_link_with_settings': ({ path }) => {
      const { isNew, link } = linkOf(checkedPath(path))
      if (!isNew) throw refuse('shared_link_already_exists', 'metadata')
      return link
    },
    'sharing/list_shared_links': ({ path }) => ({ links: [linkOf(checkedPath(path)).link], has_more: false }),
  }

  async function takeToken(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    // The SDK sends its parameters in the query.
    const query = new URL(request.url ?? '', 'http://localhost').searchParams
    const form = query.size > 0 ? query : new URLSearchParams(body.toString())
    const basic = /^Basic (.*)$/.exec(request.headers.authorization ?? '')?.[1]
    const [id, secret] = basic
      ? Buffer.from(basic, 'base64').toString().split(':')
      : [form.get('client_id'), form.get('client_secret')]
    const isKnown = id === app.clientId && secret === app.clientSecret
    const isGranted =
      form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === app.refreshToken
    if (!isKnown || !isGranted) {
      const error = isKnown ? 'invalid_grant' : 'invalid_client'
      return json(response, isKnown ? 400 : 401, {
        error,
        error_description: `refresh token ${form.get('refresh_token')}`,
      })
    }
    const access_token = `access-of-the-test-${randomUUID()}`
    tokens.add(access_token)
    json(response, 200, { access_token, token_type: 'bearer', expires_in: tokenSeconds })
  }

  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const body = await buffer(request)
    largest = Math.max(largest, body.length)
    if (path.startsWith('/oauth2/token')) return takeToken(request, response, body)
    if (!tokens.has(/^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')) {
      return json(response, 401, {
        error_summary: 'expired_access_token/..',
        error: tagged('expired_access_token'),
      })
    }
    const name = path.replace(/^\/2\//, '')
    const header = request.headers['dropbox-api-arg']
    const about = JSON.parse(typeof header === 'string' ? header : body.toString() || 'null')
    try {
      if (name === 'files/download') {
        const entry = entryOf(checkedPath(about.path), 'path')
        response.setHeader('dropbox-api-result', JSON.stringify(metadata(entry)).replace(/[^ -~]/g, '?'))
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(entry.bytes)
        return
      }
      const endpoint = endpoints[name]
      if (!endpoint) return json(response, 404, {})
      json(response, 200, endpoint(about, header === undefined ? Buffer.of() : body))
    } catch (error) {
      if (error instanceof Refusal) json(response, 409, { error_summary: error.message, error: error.error })
      else
        response
          .writeHead(400, { 'content-type': 'text/plain' })
          .end(String(Reflect.get(Object(error), 'message')))
    }
  }

  function strike(path: string): Fault['what'] | undefined {
    const fault = faults.find(({ at, times = 1 }) => path.includes(at) && times > 0)
    if (!fault) return undefined
    fault.times = (fault.times ?? 1) - 1
    return fault.what
  }

  const server = createServer((request, response) => {
    const path = request.url ?? ''
    calls.push(path.replace(/\?.*/, ''))
    watcher?.(path, false)
    const what = strike(path)
    if (what === 'cut') return void request.socket.resetAndDestroy()
    if (what === 'hang') return void request.resume()
    if (typeof what === 'object') {
      request.resume()
      const headers = what.retryAfter === undefined ? {} : { 'retry-after': String(what.retryAfter) }
      return void response
        .writeHead(what.status, headers)
        .end(what.body ?? '{"error_summary": "too_many_requests/..", "error": {}}')
    }
    response.once('finish', () => watcher?.(path, true))
    if (what === 'half') {
      response.end = ((text: string) => {
        response.write(text.slice(0, text.length / 2))
        setTimeout(() => request.socket.destroy(), 20)
      }) as never
    }
    if (what === 'lost') response.end = () => request.socket.resetAndDestroy() as never
    handle(request, response, path).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  return {
    url,
    /** Options of our adapter that lead here. */
    options: { ...app, urls: { api: url, content: url } },
    /** Paths of all files. */
    paths: () => [...files.values()].map(({ display }) => display),
    calls,
    /** Bytes of the largest body so far. */
    largest: () => largest,
    suffer: (...next: Fault[]) =>
      void faults.splice(0, faults.length, ...next.map((fault) => ({ ...fault }))),
    /** Told of each request, before it is worked on and when its response is on the way. */
    watch(told: typeof watcher) {
      watcher = told
    },
    /** From now on no token that was given is valid; new ones live so many seconds. */
    forgetTokens(seconds = tokenSeconds) {
      tokens.clear()
      tokenSeconds = seconds
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
