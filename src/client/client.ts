// The typed client of the API: fetch and nothing else, for Node and browsers.
import { type Operations, routes } from './operations.ts'

export type OperationName = keyof Operations

export interface ClientOptions {
  /** URL of the REST root, such as `https://shop.example/wp-json`. */
  url: string
  /** The API token. */
  token: string
  /** Seconds until a request is given up, retries not included. Default 60. */
  timeout?: number
  /** How often a request is sent again after a 502, a 503 or a lost connection. Default 3; 0 for never. */
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
  signal?: AbortSignal
}

export interface Result<T> {
  /** Undefined after 304. */
  data: T
  meta: Meta
  status: number
  /** Version of the resource, where it has one. */
  etag: string | undefined
  /** Whether the resource still has the ETag of `ifNoneMatch`. */
  notModified: boolean
  headers: Headers
}

export interface Meta {
  total?: number
  page?: number
  pages?: number
  limit?: number
  offset?: number
  [property: string]: unknown
}

/** A response of 400 or more, one that is not of this API, or none at all (status 0). */
export class SvcApiError extends Error {
  override readonly name = 'SvcApiError'
  /** HTTP status; 0 if no response came. */
  readonly status: number
  /** Such as `svc_product_not_found`; `network` if no response came, `not_this_api` if another server responded. */
  readonly code: string
  /** Details, for example `params` of a 400. */
  readonly data: Record<string, unknown>
  /** All problems, where the API reports several. */
  readonly errors: readonly string[]
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | undefined

  constructor(message: string, status: number, body: ErrorBody, headers?: Headers, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = body.code ?? 'unknown'
    this.data = body.data ?? {}
    this.errors = body.errors ?? []
    this.requestId = headers?.get('x-request-id') ?? undefined
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
  }
}

interface ErrorBody {
  code?: string
  message?: string
  data?: Record<string, unknown>
  errors?: string[]
}

type Args<N extends OperationName> = Operations[N]['args'] & CallOptions
/** What an operation returns, for example `Data<'get_product'>`. */
export type Data<N extends OperationName> = Operations[N]['data']

/** Operations whose `data` is an array. */
export type ListName = { [N in OperationName]: Data<N> extends readonly unknown[] ? N : never }[OperationName]

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S

/** One method for each operation: `list_products` is `listProducts`. */
export type Methods = {
  [N in OperationName as Camel<N>]: Record<never, never> extends Operations[N]['args']
    ? (args?: Args<N>) => Promise<Result<Data<N>>>
    : (args: Args<N>) => Promise<Result<Data<N>>>
}

export interface Client extends Methods {
  /** Calls an operation by its name. */
  call<N extends OperationName>(name: N, args: Args<N>): Promise<Result<Data<N>>>
  /**
   * Every item of a list, page after page.
   * @example for await (const product of client.each('list_products', { search: 'mug' })) console.log(product.title)
   */
  each<N extends ListName>(name: N, args?: Args<N>): AsyncGenerator<Data<N>[number]>
  /**
   * Reads a resource, changes it and writes it only if nobody else did in between; otherwise reads it again.
   * @param change the properties to write; undefined writes nothing
   * @throws SvcApiError 412 after five attempts
   * @example await client.edit('product', { id: 5 }, (product) => ({ title: `${product.title}!` }))
   */
  edit<R extends Editable>(
    resource: R,
    args: Args<`get_${R}`>,
    change: (current: Data<`get_${R}`>) => Operations[`update_${R}`]['args']['body'] | undefined,
  ): Promise<Result<Data<`get_${R}`>>>
}

/** Resources that are read and updated under one name. */
export type Editable = {
  [N in OperationName]: N extends `update_${infer R}` ? (`get_${R}` extends OperationName ? R : never) : never
}[OperationName]

/**
 * A client of one installation. It holds no state but its options.
 * @example
 * const shop = svcClient({ url: 'https://shop.example/wp-json', token })
 * const { data, meta } = await shop.listProducts({ search: 'mug', limit: 50 })
 */
export function svcClient(options: ClientOptions): Client {
  const { retries = 3 } = options

  async function call(
    name: OperationName,
    args: Record<string, unknown> & CallOptions = {},
  ): Promise<Result<never>> {
    const [method] = routes[name]
    const key = method === 'POST' ? (args.idempotencyKey ?? crypto.randomUUID()) : undefined
    // A PATCH is not idempotent: another client may have written since.
    const mayRepeat = method !== 'PATCH'
    for (let tries = 0; ; tries++) {
      try {
        return await send(options, name, { ...args, ...(key === undefined ? {} : { idempotencyKey: key }) })
      } catch (error) {
        if (!(error instanceof SvcApiError) || ![0, 502, 503].includes(error.status)) throw error
        if (!mayRepeat || tries >= retries || args.signal?.aborted) throw error
        await pause(Math.min(error.retryAfter ?? 2 ** tries, 60), args.signal)
      }
    }
  }

  async function* each(name: ListName, args: Record<string, unknown> = {}): AsyncGenerator<never> {
    let { page = 1, offset = 0 } = args as { page?: number; offset?: number }
    for (;;) {
      const { data, meta } = await call(name, {
        limit: 100,
        ...args,
        ...(isSliced(name) ? { offset } : { page }),
      })
      const items = data as never[]
      yield* items
      page++
      offset += items.length
      const isLast = meta.pages === undefined ? offset >= (meta.total ?? 0) : page > meta.pages
      if (items.length === 0 || isLast) return
    }
  }

  async function edit(
    resource: Editable,
    args: Record<string, unknown>,
    change: (current: never) => unknown,
  ): Promise<Result<never>> {
    for (let tries = 1; ; tries++) {
      const current = await call(`get_${resource}` as OperationName, args)
      const body = change(current.data)
      if (body === undefined) return current
      try {
        const ifMatch = current.etag
        const path = pick(args, pathParameters(`update_${resource}` as OperationName))
        return await call(`update_${resource}` as OperationName, {
          ...path,
          body,
          ...(ifMatch ? { ifMatch } : {}),
        })
      } catch (error) {
        if (!(error instanceof SvcApiError) || error.status !== 412 || tries >= 5) throw error
      }
    }
  }

  const methods = Object.fromEntries(
    (Object.keys(routes) as OperationName[]).map((name) => [
      camel(name),
      (args?: object) => call(name, { ...args }),
    ]),
  )
  return { ...methods, call, each, edit } as unknown as Client
}

const camel = (name: string) => name.replace(/_(\w)/g, (_match, first: string) => first.toUpperCase())

const pathParameters = (name: OperationName) =>
  [...routes[name][1].matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)

const isSliced = (name: OperationName) => routes[name][2].split(' ').includes('offset')

const pick = (source: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, source[name]]))

async function send(
  { url, token, timeout = 60, fetch = globalThis.fetch }: ClientOptions,
  name: OperationName,
  args: Record<string, unknown> & CallOptions,
): Promise<Result<never>> {
  const [method, path, query, form] = routes[name]
  const target = `${url.replace(/(?<!\/)\/+$/, '')}${fillPath(path, args)}${queryOf(query, args)}`
  const body =
    args.body === undefined ? undefined : form ? formOf(args.body as object) : JSON.stringify(args.body)
  const deadline = AbortSignal.timeout(timeout * 1000)
  let response: Response
  let text: string
  try {
    response = await fetch(target, {
      method,
      headers: headersOf(args, token, typeof body === 'string'),
      signal: args.signal ? AbortSignal.any([args.signal, deadline]) : deadline,
      ...(body === undefined ? {} : { body }),
    })
    text = await response.text()
  } catch (cause) {
    if (args.signal?.aborted) throw cause
    throw new SvcApiError(
      `No response from ${new URL(target).origin}.`,
      0,
      { code: 'network' },
      undefined,
      cause,
    )
  }
  const { status, headers } = response
  const parsed = parse(text)
  if (status >= 400) {
    const message = parsed?.message ?? `${method} ${path} responded ${status}.`
    throw new SvcApiError(message, status, parsed ?? {}, headers)
  }
  // A login page of a proxy, for example, or another server at this URL.
  if (status !== 304 && parsed?.data === undefined) {
    const message = `${method} ${path} responded ${status} without the data of this API.`
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

function parse(text: string): (ErrorBody & { meta?: unknown }) | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy may have responded with a page.
    return undefined
  }
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', end, { once: true })
  })
}
