// The first page of the example host in a real browser.
import t from 'tap'
import { axeFindings, openPage } from '../support/hosts/browsing.ts'
import { start } from '../support/hosts/example-host.ts'
import { startChromium } from '../support/peers/chromium.ts'

const browser = await startChromium(t)
const running = await start(t, t.testdir({}))
const origin = /Listening on +(\S+)/.exec(running.printed)?.[1] ?? ''

t.test('it has no findings of axe and does not scroll sideways, at any width, light and dark', async (t) => {
  for (const width of [390, 800, 1600])
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage(t, browser, origin, { viewport: { width, height: 900 }, colorScheme })
      await page.goto('/')
      t.strictSame(await axeFindings(page), [], `${width} ${colorScheme}`)
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
      await page.context().close()
    }
})

t.test('a command is copied with its button, and read without scripts', async (t) => {
  const page = await openPage(t, browser, origin, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/')
  await page.getByRole('button', { name: /Copy.*List the products/ }).click()
  await page.getByText('Copied.').waitFor()
  const command = await page.getByLabel('List the products').inputValue()
  t.match(command, /^curl -H "Authorization: Bearer \$\(/)
  t.equal(await page.evaluate(() => navigator.clipboard.readText()), command)

  const plain = await openPage(t, browser, origin, { javaScriptEnabled: false })
  await plain.goto('/')
  t.equal(await plain.getByLabel('List the products').inputValue(), command)
  t.equal(await plain.getByRole('button').count(), 0)
})

t.test('its pictures are those of the demo, and its links lead to settings and reference', async (t) => {
  const page = await openPage(t, browser, origin)
  await page.goto('/')
  const widths = await page
    .locator('img')
    .evaluateAll((all) => Promise.all(all.map((each) => (each as HTMLImageElement).decode().then(() => 1))))
  t.ok(widths.length >= 8)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByLabel('API token').waitFor()
})
