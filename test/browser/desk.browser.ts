// The desk in a real browser, as a print room uses it.
import { join, resolve } from 'node:path'
import t from 'tap'
import { type PrintProvider, ProviderRefused } from '../../src/print/providers/provider.ts'
import { memoryProvider } from '../support/fixtures/memory-provider.ts'
import { axeFindings, openPage } from '../support/hosts/browsing.ts'
import { deskShop, jobRow, shortcodeOrder } from '../support/hosts/desk.ts'
import { designOf, latePhoto, openPrintRoom, type Trouble } from '../support/hosts/print-room.ts'
import { startChromium } from '../support/peers/chromium.ts'
import { photoUrl, pictureElement, textElement, viewWith } from '../support/render/render-shop.ts'

const browser = await startChromium(t)

const linkOf = (type: string, id: number) => `order?type=${type}&id=${id}`
const font = resolve(
  import.meta.dirname,
  '../../node_modules/pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf',
)

t.test(
  "a print room's day: fifty orders of three sources, five failures, all resolved on the desk",
  async (t) => {
    const known = memoryProvider()
    const provider: PrintProvider = {
      async upsertDraft(item, signal) {
        if (item.variation !== '4013')
          throw new ProviderRefused(`The variation ${item.variation} names no variant.`)
        return known.upsertDraft(item, signal)
      },
    }
    const { host, dir } = await deskShop(t, 'SQLite', designOf('Ada Lovelace'), {
      renderer: { megapixels: 20 },
      printProvider: provider,
    })
    const trouble = await openPrintRoom(host)
    const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
    const page = await openPage(t, browser, origin)
    /** The link leads to the order, or to the part of it with the item. */
    const jobOf = ({ type, id }: Trouble) => {
      const link = linkOf(type, id)
      return page
        .locator('.jobs > li')
        .filter({ has: page.locator(`a[href="${link}"], a[href^="${link}&item="]`) })
    }
    const print = async ({ type, id }: Trouble) => {
      await page.goto(`/desk/${linkOf(type, id)}`)
      await page
        .getByRole('button', { name: /^Make / })
        .first()
        .click()
    }
    const failures = async (count: number) => {
      await page.goto('/desk/queue')
      // The page renews itself.
      await page.getByRole('heading', { name: `Failed ${count}` }).waitFor({ timeout: 120_000 })
    }

    await page.goto('/desk/')
    t.equal(await page.locator('.orders > li').count(), 50)
    await print(trouble.provider)
    await print(trouble.font)
    await page.goto(`/desk/${linkOf(trouble.resolution.type, trouble.resolution.id)}`)
    await page.getByLabel('Format').selectOption('PNG')
    await page.getByLabel('Resolution').fill('2400')
    await page.getByRole('button', { name: /^Make / }).click()
    await page.getByRole('link', { name: 'Queue' }).click()
    await jobOf(trouble.cancelled).getByRole('button', { name: 'Cancel' }).click()
    await print(trouble.picture)
    await failures(5)
    const reasons = {
      font: ['The font "Lobster" is not uploaded.', 'upload the font there'],
      resolution: ['at most 20 megapixels are drawn', 'Choose a lower resolution'],
      provider: ['The variation 4012 names no variant.', 'change or empty the product number'],
      picture: ['The file is not in the storage.', 'upload the picture there'],
      cancelled: ['desk cancelled the job.', 'if it was cancelled by mistake'],
    }
    for (const [what, [why = '', advice = '']] of Object.entries(reasons)) {
      const said = await jobOf(trouble[what as keyof typeof reasons]).innerText()
      t.ok(said.includes(why) && said.includes(advice), `${what}: ${said}`)
    }
    await page.goto('/desk/orders?state=failed')
    t.equal(await page.locator('.orders > li').count(), 5)

    // The font: its order names it, and takes it.
    await page.getByRole('link', { name: trouble.font.name, exact: true }).click()
    await page.locator('[data-check]').getByText('is not uploaded').waitFor()
    await page.getByLabel('Font Lobster').setInputFiles(font)
    await page.getByRole('button', { name: 'Upload' }).click()
    t.equal(await page.locator('.notice').innerText(), 'Ready to print.')
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Make a new print file of item' }).click()
    // The resolution: the settings' own.
    await print(trouble.resolution)
    // The provider: another of its products.
    await page.goto(`/desk/${linkOf(trouble.provider.type, trouble.provider.id)}`)
    await page.getByLabel('Product number of the print provider').fill('4013')
    await page.getByRole('button', { name: 'Save the product number' }).click()
    t.match(await page.locator('.notice[role=status]').innerText(), 'The product number was changed.')
    // The picture: the customer has sent it by mail. What is left is made again at once.
    await page.goto(`/desk/${linkOf(trouble.picture.type, trouble.picture.id)}`)
    await page.locator('[data-check]').getByText('is not in the storage').waitFor()
    await page.getByLabel(latePhoto).setInputFiles(join(dir, 'svc/uploads/2026/11/photo.jpg'))
    await page.getByRole('button', { name: 'Upload' }).click()
    t.equal(await page.locator('.notice').innerText(), 'Ready to print.')
    await failures(3)
    await jobOf(trouble.provider).getByRole('button', { name: 'Send again' }).click()
    t.equal(await page.locator('.notice[role=status]').innerText(), 'The job was started again.')
    await page.getByRole('button', { name: 'Retry all 2' }).click()
    t.match(await page.locator('.notice').innerText(), '2 jobs were started again.')
    await failures(0)
    for (const { type, id } of Object.values(trouble)) {
      await page.goto(`/desk/${linkOf(type, id)}`)
      await page.locator('h2 .state.ready').waitFor({ timeout: 120_000 })
    }
    t.equal(known.drafts.size, 1)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).first().click()
    t.match((await download).suggestedFilename(), /^(?:form-|website-)?\d+(?:-\d+)?\.pdf$/)
  },
)

const kept = {
  audit: true,
  webhooks: [{ url: 'https://erp.example/svc', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
}

t.test('every page is sound for axe, in light and dark, and nothing is wider than the screen', async (t) => {
  const { host, id, item } = await deskShop(t, 'SQLite', designOf('Ada Lovelace'), kept)
  const trouble = await openPrintRoom(host, 30)
  const message = 'View "Front", element "Name": The font "Lobster" is not uploaded.'
  await jobRow(host, {
    type: 'wc',
    id,
    item,
    status: 'failed',
    error: { code: 'svc_render_refused', message },
  })
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
  const missing = `type=${trouble.font.type}&id=${trouble.font.id}`
  const fonts = [`order?${missing}`, `check?${missing}`]
  // Words that no line holds are no reason to be wider.
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const lostPicture = {
    ...viewWith(pictureElement(photoUrl.replace('photo', long)), textElement(long)),
    title: long,
  }
  const longest = await shortcodeOrder(host, {
    customer_name: long,
    customer_mail: `${long}@shop.example`,
    views: [lostPicture],
  })
  const words = `type=shortcode&id=${longest}`
  const others = [
    `order?${words}`,
    `check?${words}`,
    'audit?id=4711',
    'orders?q=nobody',
    'order?type=wc&id=4711',
  ]
  const paths = [
    ...pages,
    ...fonts,
    ...others,
    'deliveries',
    'audit',
    'fonts',
    'font?name=Liberation%20Sans',
    'library',
    'asset?key=2026%2F11%2Fphoto.jpg',
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPage(t, browser, origin, { colorScheme })
    for (const path of paths) {
      await page.goto(`/desk/${path}`, { waitUntil: 'domcontentloaded' })
      if (path === fonts[0]) await page.getByLabel('Font Lobster').waitFor()
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
