// The check of all products in the background: one at a time, whose result is kept in memory until the next one.
import { setTimeout as delay } from 'node:timers/promises'
import type { SvcContext } from '../../src/app/context.ts'
import { outsideRequest } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import type { PreflightSettings } from '../../src/renderer/renderer.ts'
import { checkProduct, productNames } from '../../src/upkeep/preflight.ts'

/** The findings of one product. */
export interface CheckedProduct {
  id: number
  title: string
  isPrintable: boolean
  /** Sentences, refusals first. */
  findings: string[]
}

export interface ProductCheck {
  total: number
  done: number
  refused: number
  warned: number
  /** The products with findings, the refused ones first. */
  products: CheckedProduct[]
  startedAt: string
  /** Undefined while it runs. */
  endedAt: string | undefined
  /** Why it ended before all were checked. */
  problem: string | undefined
}

/** Products that are kept, findings of each, and characters of a finding. */
const [maxProducts, maxFindings, maxLength] = [1000, 5, 300]
/** Milliseconds between two tries, and their number, while others wait for the renderer. */
const [pause, maxTries] = [2000, 60]

/** @param warn logs unexpected errors */
export function productChecks(context: SvcContext, warn: (error: unknown, message: string) => void) {
  const { database, renderer } = context
  /** The check that runs, or the last one, with what stops it. */
  let current: { check: ProductCheck; stopping: AbortController } | undefined

  /** Tries again while the renderer is busy. */
  async function preflight(
    design: string,
    settings: PreflightSettings,
    signal: AbortSignal,
  ): Promise<Preflight> {
    for (let tries = 1; ; tries++) {
      try {
        if (!renderer) throw new SvcError('svc_renderer_off')
        return await renderer.preflight(design, settings, signal)
      } catch (error) {
        const isBusy = error instanceof SvcError && error.code === 'svc_renderer_busy'
        if (!isBusy || tries >= maxTries) throw error
        await delay(pause, undefined, { signal })
      }
    }
  }

  /** The result for one product; undefined if nothing was found. */
  async function checked(
    { id, title }: Pick<CheckedProduct, 'id' | 'title'>,
    form: Omit<PreflightSettings, 'client'>,
    signal: AbortSignal,
  ): Promise<CheckedProduct | undefined> {
    try {
      const settings = { ...form, client: `product ${id}` }
      const found = await checkProduct(database, id, (design) => preflight(design, settings, signal))
      if (!found || found.findings.length === 0) return undefined
      return {
        id,
        title,
        isPrintable: found.printable,
        findings: found.findings.map(({ message }) => message),
      }
    } catch (error) {
      // A design that cannot be read, or crashes the renderer, is a finding; without a database there is none.
      if (!(error instanceof SvcError) || error.code === 'svc_unavailable') throw error
      return { id, title, isPrintable: false, findings: [error.message] }
    }
  }

  function note(check: ProductCheck, { findings, ...product }: CheckedProduct): void {
    if (product.isPrintable) check.warned++
    else check.refused++
    const texts = findings.slice(0, maxFindings).map((text) => text.slice(0, maxLength))
    check.products.push({ ...product, findings: texts })
    check.products.sort((a, b) => Number(a.isPrintable) - Number(b.isPrintable))
    check.products.length = Math.min(check.products.length, maxProducts)
  }

  async function run(check: ProductCheck, signal: AbortSignal): Promise<void> {
    try {
      const form = await context.preflightForm()
      for await (const product of productNames(database)) {
        signal.throwIfAborted()
        const found = await checked(product, form, signal)
        if (found) note(check, found)
        check.done++
      }
      check.total = check.done
    } catch (error) {
      if (signal.aborted) check.problem = 'It was stopped.'
      else if (error instanceof SvcError) check.problem = error.message
      else {
        check.problem = 'It ended because of an unexpected error.'
        warn(error, 'The check of all products failed.')
      }
    } finally {
      check.endedAt = new Date().toISOString()
    }
  }

  return {
    /** The one that runs, or the last one. */
    last: (): ProductCheck | undefined => current?.check,

    /** Changes whenever there is more to tell. */
    signature(): string {
      if (!current) return ''
      const { startedAt, done, endedAt } = current.check
      return `${startedAt} ${done} ${endedAt}`
    },

    /** Starts a check, unless one runs. @param total number of products */
    start(total: number): void {
      if (current && !current.check.endedAt) return
      const startedAt = new Date().toISOString()
      const none = { done: 0, refused: 0, warned: 0, products: [] }
      const check = { ...none, total, startedAt, endedAt: undefined, problem: undefined }
      const stopping = new AbortController()
      current = { check, stopping }
      outsideRequest(() => void run(check, stopping.signal))
    },

    /** Cancels the running check; its `problem` is set to the reason. */
    stop: () => current?.stopping.abort(),
  }
}
