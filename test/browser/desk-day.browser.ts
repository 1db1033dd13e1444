// A day of a print room in a real browser: forty orders in all states, from the list to "printed", by keyboard and without scripts.
import type { Page } from 'playwright-core'
import t from 'tap'
import { shopOrder } from '../support/fixtures/shop.ts'
import { axeFindings, openPage } from '../support/hosts/browsing.ts'
import type { TestHost } from '../support/hosts/build.ts'
import { addForm, deskShop, formEntry, shortcodeOrder } from '../support/hosts/desk.ts'
import { startChromium } from '../support/peers/chromium.ts'
import { textElement, viewWith } from '../support/render/render-shop.ts'

const browser = await startChromium(t)

const designOf = (text: string) => ({ product: [viewWith(textElement(text))] })
const hoursAgo = (hours: number) =>
  new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

const states = ['wc-processing', 'wc-completed', 'wc-on-hold', 'wc-pending', 'wc-cancelled', 'wc-failed']

/** Forty orders: 36 of the shop, of which every third state is printable, two of a form and two of the shortcode. */
async function fill(host: TestHost): Promise<void> {
  for (let n = 0; n < 36; n++) {
    const meta: [string, string][] = [
      ['_svc_data', JSON.stringify(designOf(`Shirt ${n}`))],
      ['_qty', String((n % 3) + 1)],
      ['Size', n % 2 ? 'XL' : 'M'],
    ]
    const status = states[n % states.length] ?? ''
    await shopOrder(host, 'posts', { created: hoursAgo(n + 1), status, items: [{ name: 'T-shirt', meta }] })
  }
  const form = await addForm(host, 'Mug form')
  for (const name of ['Grace', 'Ada'])
    await formEntry(host, form, { created: hoursAgo(50), name, mail: '', design: designOf(name) })
  for (const name of ['Mary', 'Zoë'])
    await shortcodeOrder(host, { customer_name: name, customer_mail: '', views: designOf(name).product })
}

/** Pages of a PDF that the browser prints. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length

/** Pages are used before their previews are drawn. */
const early = { waitUntil: 'domcontentloaded' } as const

/** Moves the focus by the Tab key until it is on the element with this text, and presses a key there. */
async function press(page: Page, text: RegExp, key = 'Enter'): Promise<void> {
  for (let steps = 0; steps < 300; steps++) {
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    if ((await focused.count()) > 0 && text.test((await focused.innerText()).trim())) {
      await page.keyboard.press(key)
      return
    }
  }
  throw new Error(`The Tab key does not reach ${text}.`)
}

t.test(
  'forty orders are chosen, checked, printed and marked by keyboard alone, without scripts',
  async (t) => {
    const { host } = await deskShop(t, 'SQLite', designOf('Old'), { renderer: { seconds: 120 } })
    await fill(host)
    const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
    const page = await openPage(t, browser, origin, { javaScriptEnabled: false })
    await page.goto('/desk/orders', early)
    t.match(await page.locator('.numbers li').first().innerText(), '16 to print')
    await press(page, /^16 to print$/)
    await page.waitForURL(/work=to_print/, early)
    t.match(await page.locator('main > .remark').innerText(), '6 cancelled, 6 failed, 6 on-hold, 6 pending')
    await press(page, /^Select all 16$/)
    await page.waitForURL(/choose=all/, early)
    await press(page, /^Work on selected orders$/)
    await page.waitForURL(/\/batch\?/, early)
    t.equal(await page.locator('#batch > li').count(), 16)
    await press(page, /^Check all$/)
    await page.waitForURL(/check=all/, { ...early, timeout: 90_000 })
    t.equal(await page.getByText('Ready to print.').count(), 16)
    const download = page.waitForEvent('download', { timeout: 90_000 })
    await press(page, /^Download PDF$/)
    t.match((await download).suggestedFilename(), /^orders-[\d-]+\.pdf$/)
    await press(page, /^Show tickets$/)
    await page.locator('.ticket').last().waitFor({ timeout: 90_000 })
    t.equal(await page.locator('.ticket').count(), 16)
    t.equal(pagesOf(await page.pdf({ format: 'A6', preferCSSPageSize: false })), 16)
    t.equal(pagesOf(await page.pdf({ format: 'A4' })), 16)
    await press(page, /^Back$/)
    await page.waitForURL(/\/batch\?/, early)
    await press(page, /^Mark as printed$/)
    await page.waitForURL(/said=printed/, early)
    t.equal(await page.locator('.notice').innerText(), '16 items marked as printed.')
    await page.goto('/desk/orders?work=to_print', early)
    t.equal(await page.locator('.orders > li').count(), 0)
  },
)

t.test(
  'on a phone an order is marked and a problem is noted, and nothing is wider than the screen',
  async (t) => {
    const { host } = await deskShop(t, 'SQLite', designOf('Old'))
    await fill(host)
    const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
    const page = await openPage(t, browser, origin, { viewport: { width: 390, height: 800 }, hasTouch: true })
    const isWhole = async () =>
      t.ok(
        (await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0,
        page.url(),
      )
    await page.goto('/desk/orders?work=to_print&sort=oldest')
    t.same(await axeFindings(page), [])
    await isWhole()
    const first = page.locator('.orders > li').first()
    await first.locator('.name a').tap()
    await page.waitForURL(/order\?type/, early)
    await isWhole()
    await page.getByRole('link', { name: 'Ticket' }).tap()
    await page.waitForURL(/tickets\?orders/)
    await isWhole()
    t.same(await axeFindings(page), [])
    await page.getByRole('link', { name: 'Back' }).tap()
    await page.waitForURL(/order\?type/, early)
    await page.getByLabel('Note').fill('The mug is broken.')
    await page.getByRole('button', { name: 'Mark as a problem' }).tap()
    await page.waitForURL(/said=problem/, early)
    t.equal(await page.locator('.notice').first().innerText(), 'Marked as a problem.')
    await page.goto('/desk/orders?work=problem')
    t.match(await page.locator('.orders > li').innerText(), /The mug is broken\./)
    await page.locator('.choice').tap()
    await page.getByRole('button', { name: 'Work on selected orders' }).tap()
    await page.waitForURL(/batch\?orders/, early)
    await isWhole()
    t.same(await axeFindings(page), [])
  },
)
