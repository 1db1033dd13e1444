// Checks all products in the background for the page of products. At most one check runs; its progress and result stay in memory
// until the next check starts.
import { setTimeout as delay } from 'node:timers/promises'
import type { SvcContext } from '../../src/app/context.ts'
import { withoutDeadline } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import type { PreflightSettings } from '../../src/renderer/renderer.ts'
import { checkProduct, productNames } from '../../src/upkeep/preflight.ts'

/** A product with at least one finding. */
export interface CheckedProduct {
  id: number
  title: string
  /** False if a finding refuses it. */
  isPrintable: boolean
  /** Sentences, refusals first. */
  findings: string[]
}

/** Progress and result of a check. The running check updates it. */
export interface ProductCheck {
  /** Number of products to check, counted at the start. */
  total: number
  /** Number of products checked so far. */
  done: number
  /** Number of products that cannot be printed. */
  refused: number
  /** Number of products that can be printed, but have warnings. */
  warned: number
  /** The products with findings, the refused ones first. */
  products: CheckedProduct[]
  startedAt: string
  /** Undefined while it runs. */
  endedAt: string | undefined
  /** Why it ended before all were checked. */
  problem: string | undefined
}

/** Maximum number of products in a result, of findings of each, and of characters of a finding: the result stays in memory. */
const [maxProducts, maxFindings, maxLength] = [1000, 5, 300]
/** Milliseconds between two tries while the renderer is busy, and the maximum number of tries. */
const [pause, maxTries] = [2000, 60]

/** A check that runs, or that has ended. */
interface CheckRun {
  check: ProductCheck
  /** Stops the run; no effect after it has ended. */
  stopping: AbortController
}

/** The check of all products of one desk, which runs in this process. @param warn logs unexpected errors */
export function productChecks(context: SvcContext, warn: (error: unknown, message: string) => void) {
  const { database, renderer } = context
  /** The run that was started last; undefined before the first one. */
  let latestRun: CheckRun | undefined

  /** Checks a design without drawing it. Tries again while the renderer is busy. */
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

  /** The product with its findings; undefined without findings. */
  async function checkedProduct(
    { id, title }: Pick<CheckedProduct, 'id' | 'title'>,
    form: Omit<PreflightSettings, 'client'>,
    signal: AbortSignal,
  ): Promise<CheckedProduct | undefined> {
    try {
      const settings = { ...form, client: `product ${id}` }
      const result = await checkProduct(database, id, (design) => preflight(design, settings, signal))
      if (!result || result.findings.length === 0) return undefined
      const findings = result.findings.map(({ message }) => message)
      return { id, title, isPrintable: result.printable, findings }
    } catch (error) {
      // A design that cannot be read, or crashes the renderer, is a finding. If the database is unavailable, the check ends.
      if (!(error instanceof SvcError) || error.code === 'svc_unavailable') throw error
      return { id, title, isPrintable: false, findings: [error.message] }
    }
  }

  /** Adds a product to the result. */
  function addTo(check: ProductCheck, { findings, ...product }: CheckedProduct): void {
    if (product.isPrintable) check.warned++
    else check.refused++
    const texts = findings.slice(0, maxFindings).map((text) => text.slice(0, maxLength))
    check.products.push({ ...product, findings: texts })
    check.products.sort((a, b) => Number(a.isPrintable) - Number(b.isPrintable))
    check.products.length = Math.min(check.products.length, maxProducts)
  }

  /** Checks all products, and sets how the check ended. */
  async function run({ check, stopping: { signal } }: CheckRun): Promise<void> {
    try {
      const form = await context.preflightForm()
      for await (const product of productNames(database)) {
        signal.throwIfAborted()
        const productWithFindings = await checkedProduct(product, form, signal)
        if (productWithFindings) addTo(check, productWithFindings)
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
    /** The running check, or the last one; undefined before the first. */
    latest: (): ProductCheck | undefined => latestRun?.check,

    /** A text that differs whenever the page of the check would show something else. */
    signature(): string {
      if (!latestRun) return ''
      const { startedAt, done, endedAt } = latestRun.check
      return `${startedAt} ${done} ${endedAt}`
    },

    /** Starts a check, unless one is running. @param total number of products */
    start(total: number): void {
      if (latestRun && !latestRun.check.endedAt) return
      const startedAt = new Date().toISOString()
      const counts = { total, done: 0, refused: 0, warned: 0 }
      const check = { ...counts, products: [], startedAt, endedAt: undefined, problem: undefined }
      const newRun = { check, stopping: new AbortController() }
      latestRun = newRun
      withoutDeadline(() => void run(newRun))
    },

    /** Stops the running check, which sets its `problem`. */
    stop: () => latestRun?.stopping.abort(),
  }
}
