// One request of the client, without repetitions, and its result or error.
import { fromJson } from '../json/parse.ts'
import { type ErrorBody, SvcApiError } from './error.ts'
import { type Operations, routes } from './operations.ts'

/** The name of an operation, such as `get_product`. */
export type OperationName = keyof Operations

/** Which installation, and how requests are sent to it. */
export interface ClientOptions {
  /** URL of the REST root, such as `https://shop.example/wp-json`; `/svc/v1` may follow. */
  url: string
  /** The API token. */
  token: string
  /** Seconds until a request is given up, retries not included. Default 60. */
  timeout?: number
  /**
   * How often a request is sent again after a 502, a 503, a lost connection, or while an earlier try of a POST still runs; a PATCH is
   * never. Default 3; 0 for never.
   */
  retries?: number
  /** Used in place of the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** Options of every call, in addition to the parameters of its operation. */
export interface CallOptions {
  /** An ETag: responds 412 if the resource has changed since. */
  ifMatch?: string
  /** An ETag: the result has `notModified` if the resource still has it. */
  ifNoneMatch?: string
  /** Sent with a POST so that it runs once. Default: a random one, so that a POST can be retried. */
  idempotencyKey?: string
  /** Such as `return=minimal` or `respond-async`. */
  prefer?: string
  /** Aborts the call, its retries included. It rejects with the reason of the signal, or with the error of the last try. */
  signal?: AbortSignal
}

/** Parameters of an operation, and the options of every call. */
export type Args<N extends OperationName> = Operations[N]['args'] & CallOptions
/** The data that an operation returns, for example `Data<'get_product'>`. */
export type Data<N extends OperationName> = Operations[N]['data']

/** The result of a call. */
export interface Result<T> {
  /** Undefined after 304. */
  data: T
  /** The properties of the response beside its data. */
  meta: Meta
  /** HTTP status: 200, 201 or 304. */
  status: number
  /** Version of the resource, where it has one. */
  etag: string | undefined
  /** Whether the resource still has the ETag of `ifNoneMatch`. */
  notModified: boolean
  /** Headers of the response. */
  headers: Headers
}

/** Properties of a response beside its data; operations add more. */
export interface Meta {
  /** Number of all items that match. */
  total?: number
  /** This page, from 1. */
  page?: number
  /** Number of pages. */
  pages?: number
  /** Items per page. */
  limit?: number
  /** Items before the first one of this page. */
  offset?: number
  [property: string]: unknown
}

/** Sends the request of an operation once. @throws SvcApiError, or TypeError for a missing parameter of the path */
export async function send(
  { url, token, timeout = 60, fetch = globalThis.fetch }: ClientOptions,
  name: OperationName,
  args: Record<string, unknown> & CallOptions,
): Promise<Result<never>> {
  const [method, path, query, kind] = routes[name]
  const target = `${url.replace(/(?<!\/)\/+$/, '').replace(/\/svc\/v1$/, '')}${fillPath(path, args)}${queryOf(query, args)}`
  const body =
    args.body === undefined
      ? undefined
      : kind === 'form'
        ? formOf(args.body as object)
        : JSON.stringify(args.body)
  const deadline = AbortSignal.timeout(timeout * 1000)
  let response: Response
  let content: string | Blob
  try {
    response = await fetch(target, {
      method,
      headers: headersOf(args, token, typeof body === 'string'),
      signal: args.signal ? AbortSignal.any([args.signal, deadline]) : deadline,
      ...(body === undefined ? {} : { body }),
    })
    content = isPicture(kind, response) ? await response.blob() : await response.text()
  } catch (cause) {
    if (args.signal?.aborted) throw cause
    throw new SvcApiError(
      `No response from ${url === '' ? 'an empty url' : url}.`,
      0,
      { code: 'network' },
      undefined,
      cause,
    )
  }
  const { status, headers } = response
  const parsed: Body | undefined = typeof content === 'string' ? parse(content) : { data: content as never }
  if (status >= 400 && isRefusal(parsed))
    throw new SvcApiError(parsed.message ?? `${method} ${path} responded ${status}.`, status, parsed, headers)
  // A proxy in front of this API that is overloaded, or cannot reach it.
  if (proxyStatuses.includes(status))
    throw new SvcApiError(`${method} ${path} responded ${status}.`, status, {}, headers)
  // A login page of a proxy, for example, or another server at this URL.
  if (status !== 304 && (status >= 400 || parsed?.data === undefined)) {
    const message = `${method} ${target} responded ${status}, but not as this API does; is ${url} its REST root?`
    throw new SvcApiError(message, status, { code: 'not_this_api' }, headers)
  }
  return {
    data: parsed?.data as never,
    meta: (parsed?.meta as Meta | undefined) ?? {},
    status,
    etag: headers.get('etag') ?? undefined,
    notModified: status === 304,
    headers,
  }
}

/** Statuses with which proxies respond in place of this API. */
const proxyStatuses = [408, 429, 502, 503, 504]

/** Whether the body is an error of this API. */
const isRefusal = (body: Body | undefined): body is Body =>
  body?.success === false && typeof body.code === 'string'

const isPicture = (kind: string, { ok, headers }: Response) =>
  ok && kind === 'picture' && /^image\//.test(headers.get('content-type') ?? '')

function fillPath(path: string, args: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    if (args[name] === undefined) throw new TypeError(`The parameter ${name} is required.`)
    const text = String(args[name])
    // With these the URL would be that of another operation, however they are escaped.
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`The parameter ${name} must not be "${text}".`)
    return encodeURIComponent(text)
  })
}

function queryOf(names: string, args: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const name of names.split(' ')) {
    const value = args[name.replace('[]', '')]
    if (value === undefined) continue
    if (name.endsWith('[]')) for (const item of [value].flat()) query.append(name, String(item))
    else query.set(name, String(value))
  }
  return query.size > 0 ? `?${query}` : ''
}

function headersOf(args: CallOptions, token: string, isJson: boolean): Record<string, string> {
  const { ifMatch, ifNoneMatch, idempotencyKey, prefer } = args
  return {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...(ifMatch ? { 'if-match': ifMatch } : {}),
    ...(ifNoneMatch ? { 'if-none-match': ifNoneMatch } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    ...(prefer ? { prefer } : {}),
  }
}

/** Files go as they are, with the name that they have; everything else as a string. */
function formOf(fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, value instanceof Blob ? value : String(value))
  }
  return form
}

/** The body of a response of this API. */
type Body = ErrorBody & { success?: unknown; meta?: unknown }

function parse(text: string): Body | undefined {
  try {
    return fromJson(text) as Body
  } catch {
    // A proxy may have responded with a page.
    return undefined
  }
}
