// A real browser on the settings screen: the server that it visits, its pages, and what it complains about.
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import { svcSettingsScreen } from '../../../plugins/index.ts'
import { type BuildOptions, build, type TestHost } from './build.ts'

export interface Served {
  host: TestHost
  /** Origin of the server. */
  origin: string
}

/** The API with the screen under `/settings`, on a port of loopback. */
export async function serveScreen(t: Test, options: BuildOptions = {}): Promise<Served> {
  const host = await build(t, {
    ...options,
    after: (app) => app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true }),
  })
  return { host, origin: await host.app.listen({ port: 0, host: '127.0.0.1' }) }
}

/**
 * A page in a profile of its own. Fails the test for errors of scripts, violations of the policy and requests to anywhere
 * else; responses of the API that a page asks for may be refusals.
 */
export async function openPage(
  t: Test,
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, ...options })
  t.teardown(() => context.close())
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  watch(t, page, origin)
  return page
}

export function watch(t: Test, page: Page, origin: string): void {
  page.on('pageerror', (error) => t.fail(`a script failed: ${error}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) t.fail(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) t.fail(`a request left the site: ${request.url()}`)
  })
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const { source } = createRequire(import.meta.url)(axePath) as { source: string }

/** What axe-core finds on the page, one line per finding. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not hold back.
  await page.evaluate(source)
  return page.evaluate(async () => {
    const axe = Reflect.get(globalThis, 'axe')
    const { violations } = await axe.run({ exclude: [] }, { resultTypes: ['violations'] })
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  })
}
