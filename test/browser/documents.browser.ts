// The documentation site in a browser, opened from its folder without a server.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import t from 'tap'
import { buildSite } from '../../tools/docs/index.ts'
import { startChromium } from '../support/peers/chromium.ts'

const folder = await buildSite({ out: t.testdir({ '0.9.0': { 'index.html': 'Old' } }), version: '1.0.0' })
const url = (path: string) => pathToFileURL(join(folder, path)).href
const browser = await startChromium(t)

t.test('search box: / focuses it, arrow keys reach a result, Enter opens the section', async (t) => {
  const page = await browser.newPage()
  await page.goto(url('docs/guide/concepts.html'))
  await page.keyboard.press('/')
  await page.keyboard.type('idempotency')
  await page.locator('#results a').first().waitFor()
  t.match(await page.locator('#search-status').textContent(), /^\d+ results$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\.html#|\/(?!concepts)\w+\.html$/)
  t.match(await page.locator('main').textContent(), /idempotency/i)
})

t.test('version list: opens the start page of another version', async (t) => {
  const page = await browser.newPage()
  await page.goto(url('docs/reference/errors.html'))
  await page.locator('#version option').nth(1).waitFor({ state: 'attached' })
  await page.locator('#version').selectOption('0.9.0')
  await page.waitForURL(/0\.9\.0\/index\.html$/)
  t.equal(await page.locator('body').textContent(), 'Old')
})

for (const [width, scheme] of [
  [390, 'light'],
  [1280, 'dark'],
] as const) {
  t.test(
    `pages at ${width} px, ${scheme}: axe finds nothing, and nothing is wider than the window`,
    async (t) => {
      const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 900 } })
      for (const path of ['index.html', 'docs/guide/print-files.html', 'docs/reference/design.html']) {
        await page.goto(url(path))
        await page.evaluate(axe.source)
        const violations = await page.evaluate(async () => {
          const run = (globalThis as unknown as { axe: typeof axe }).axe
          return (await run.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
        })
        t.strictSame(violations, [], path)
        t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path)
      }
    },
  )
}
