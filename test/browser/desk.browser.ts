// The desk in a real browser, as a print room uses it.
import t from 'tap'
import { axeFindings, openPage } from '../support/browsing.ts'
import { startChromium } from '../support/chromium.ts'
import { deskShop } from '../support/desk.ts'
import { designOf, failures, openPrintRoom } from '../support/print-room.ts'
import { textElement, viewWith } from '../support/render/render-shop.ts'

const browser = await startChromium(t)

t.test(
  "a print room's day: fifty orders of three sources, five failures, all resolved on the desk",
  async (t) => {
    const { host } = await deskShop(t, 'SQLite', designOf('Ada Lovelace'))
    await openPrintRoom(host)
    const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
    const page = await openPage(t, browser, origin)
    await page.goto('/desk/')
    t.equal(await page.locator('.orders > li').count(), 50)
    await page.getByLabel('Print file').selectOption('Failed')
    await page.getByRole('button', { name: 'Show' }).click()
    t.equal(await page.locator('.orders > li').count(), 5)
    await page.getByRole('link', { name: 'Queue' }).click()
    const failed = page.locator('[aria-labelledby=section-failed] li')
    t.equal(await failed.count(), 5)
    for (const { message } of failures) t.equal(await failed.filter({ hasText: message }).count(), 1, message)
    await failed.filter({ hasText: 'Lobster' }).getByRole('button', { name: 'Make again' }).click()
    t.equal(await page.locator('.notice').innerText(), 'It is being made again.')
    t.equal(await failed.count(), 4)
    await page.getByRole('button', { name: 'Make all 4 again' }).click()
    t.match(await page.locator('.notice').innerText(), '4 jobs are being made again.')
    // The page renews itself until all are drawn.
    await page.waitForFunction(
      () => document.querySelectorAll('[aria-labelledby=section-finished] a[download]').length >= 5,
      undefined,
      { timeout: 240_000 },
    )
    t.equal(await failed.count(), 0)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).first().click()
    t.match((await download).suggestedFilename(), /^order-.*\.pdf$/)
  },
)

const kept = {
  audit: true,
  webhooks: [{ url: 'https://erp.example/svc', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
}

t.test('every page is sound for axe, in light and dark, and nothing is wider than the screen', async (t) => {
  const { host, id, item } = await deskShop(t, 'SQLite', designOf('Ada Lovelace'), kept)
  await openPrintRoom(host, 30)
  await host.db.updateTable(host.t.api_outbox).set({ state: 'dead', error: 'It responded 500.' }).execute()
  const { body } = await host.call('POST', '/products', { title: 'Mug' })
  const lost = viewWith(textElement('Hello', { fontFamily: 'Lobster' }))
  await host.call('POST', `/products/${body.data.id}/views`, lost)
  const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
  const checked = await openPage(t, browser, origin)
  await checked.goto('/desk/products')
  await checked.getByRole('button', { name: 'Check all products' }).click()
  await checked.getByText('1 product checked').waitFor()
  const order = `type=wc&id=${id}`
  const pages = ['orders', `order?${order}`, 'queue', 'products', `check?${order}&item=${item}`]
  const paths = [...pages, 'deliveries', 'audit', 'order?type=wc&id=4711']
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPage(t, browser, origin, { colorScheme })
    for (const path of paths) {
      await page.goto(`/desk/${path}`, { waitUntil: 'domcontentloaded' })
      t.same(await axeFindings(page), [], `${path}, ${colorScheme}`)
      for (const width of [390, 800, 1200, 1600]) {
        await page.setViewportSize({ width, height: 800 })
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        t.ok(over <= 0, `${path} at ${width}: ${over}`)
      }
    }
  }
})

t.test('without scripts an order is printed and its outlines are shown', async (t) => {
  const { host, id } = await deskShop(t, 'SQLite', designOf('Ada Lovelace'))
  const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
  const page = await openPage(t, browser, origin, { javaScriptEnabled: false })
  await page.goto(`/desk/order?type=wc&id=${id}`)
  t.notOk(await page.locator('.sheet svg').first().isVisible())
  await page.getByLabel('Show print areas').check()
  t.ok(await page.locator('.sheet svg').first().isVisible())
  await page.getByRole('button', { name: 'Make print file' }).click()
  t.equal(await page.locator('.notice').innerText(), 'The print file is being made.')
  t.equal(await page.locator('#jobs > ul > li').count(), 1)
})
