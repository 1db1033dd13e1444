// The typed client of the API: fetch and nothing else, for Node and browsers.
import { SvcApiError, type UnavailableReason } from './error.ts'
import type { Methods } from './methods.ts'
import { type Operations, routes } from './operations.ts'
import {
  type Args,
  type CallOptions,
  type ClientOptions,
  type Data,
  type Meta,
  type OperationName,
  type Result,
  send,
} from './request.ts'
import type {
  DesignView,
  ElementParameters,
  PageOutput,
  PrintArea,
  ViewElement,
  ViewOptions,
} from './resources.ts'

export type {
  CallOptions,
  ClientOptions,
  Data,
  DesignView,
  ElementParameters,
  Meta,
  Methods,
  OperationName,
  PageOutput,
  PrintArea,
  Result,
  UnavailableReason,
  ViewElement,
  ViewOptions,
}
export { SvcApiError }

/** Operations whose `data` is an array. */
export type ListName = { [N in OperationName]: Data<N> extends readonly unknown[] ? N : never }[OperationName]

/** The methods of all operations, and what is built of them. */
export interface Client extends Methods {
  /** Calls an operation by its name. */
  call<N extends OperationName>(name: N, args: Args<N>): Promise<Result<Data<N>>>
  /**
   * Every item of a list, page after page.
   * @example for await (const product of client.each('list_products', { search: 'mug' })) console.log(product.title)
   */
  each<N extends ListName>(name: N, args?: Args<N>): AsyncGenerator<Data<N>[number]>
  /**
   * Reads a resource, changes it and writes it only if it has not changed in between; otherwise reads it again.
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

  /** Sends the request, and sends it again after a failure that may pass. */
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
        if (!(error instanceof SvcApiError) || !mayPass(error)) throw error
        if (!mayRepeat || tries >= retries || args.signal?.aborted) throw error
        await pause(Math.min(error.retryAfter ?? 2 ** tries, 60), args.signal)
      }
    }
  }

  async function* each(name: ListName, args: Record<string, unknown> = {}): AsyncGenerator<never> {
    // Lists are paged by page or by offset; the third entry of a route names its query parameters.
    const isSliced = routes[name][2].split(' ').includes('offset')
    let { page = 1, offset = 0 } = args as { page?: number; offset?: number }
    for (;;) {
      const { data, meta } = await call(name, { limit: 100, ...args, ...(isSliced ? { offset } : { page }) })
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
    const [reading, writing] = [`get_${resource}`, `update_${resource}`] as [OperationName, OperationName]
    const pathArgs = [...routes[writing][1].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, args[name]])
    for (let tries = 1; ; tries++) {
      const current = await call(reading, args)
      const body = change(current.data)
      if (body === undefined) return current
      try {
        const ifMatch = current.etag
        return await call(writing, { ...Object.fromEntries(pathArgs), body, ...(ifMatch ? { ifMatch } : {}) })
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
  // The types of the methods are generated from the same operations as `routes`.
  return { ...methods, call, each, edit } as unknown as Client
}

/** Whether the next try may succeed. The first try of a POST may still run when the second arrives. */
const mayPass = ({ status, code }: SvcApiError) =>
  [0, 502, 503].includes(status) || code === 'svc_idempotency_key_running'

/** The name of the method of an operation, such as `listProducts` of `list_products`. */
const camel = (name: string) => name.replace(/_(\w)/g, (_match, first: string) => first.toUpperCase())

/** Waits; rejects with the reason of the signal when it aborts. */
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
