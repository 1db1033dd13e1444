// The settings screen in a real browser, as an administrator uses it.
import type { Page } from 'playwright-core'
import t from 'tap'
import { openPage, serveScreen, watch } from '../support/hosts/browsing.ts'
import { token } from '../support/hosts/build.ts'
import { store } from '../support/hosts/screen.ts'
import { startChromium } from '../support/peers/chromium.ts'

const browser = await startChromium(t)

/** Status of a request that the page makes to the API. */
const askApi = (page: Page, path: string, bearer = token): Promise<number> =>
  page.evaluate(
    async ([url, authorization]) =>
      (await fetch(url as string, { headers: { authorization: authorization as string } })).status,
    [`/wp-json/svc/v1${path}`, `Bearer ${bearer}`],
  )

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click()
const said = (page: Page) => page.locator('.notice').innerText()

t.test('a group switched off and on again is 404 and 200 for a request of the page', async (t) => {
  const { origin } = await serveScreen(t)
  const page = await openPage(t, browser, origin)
  await page.goto('/settings/')
  await page.getByRole('link', { name: 'API', exact: true }).click()
  t.equal(await askApi(page, '/products'), 200)
  const products = page.getByLabel('Products API')
  await products.uncheck()
  await save(page)
  t.equal(await said(page), '1 setting was saved.')
  t.notOk(await products.isChecked())
  t.equal(await askApi(page, '/products'), 404)
  await page.getByRole('button', { name: 'Test all routes' }).click()
  await page.getByText('Responds 404.').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('output[data-path]:empty').length === 0)
  t.equal(await page.getByText('Responds 200.').count(), 10)
  await products.check()
  await save(page)
  t.equal(await askApi(page, '/products'), 200)
})

t.test(
  'the token is copied, cleared after a confirmation, made by the next request, and shown',
  async (t) => {
    const { origin } = await serveScreen(t)
    const page = await openPage(t, browser, origin, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/settings/api')
    const field = page.getByRole('textbox', { name: 'API Token' })
    t.equal(await field.inputValue(), token)
    t.notOk(await field.isEditable())
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied.').waitFor()
    t.equal(await page.evaluate(() => navigator.clipboard.readText()), token)

    await page.getByRole('link', { name: 'Rotate token…' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    t.equal(await field.inputValue(), token)
    await page.getByRole('link', { name: 'Rotate token…' }).click()
    await page.getByRole('button', { name: 'Rotate token' }).click()
    t.equal(await field.inputValue(), '')
    t.equal(await askApi(page, '/system'), 403)
    await page.reload()
    const next = await field.inputValue()
    t.match(next, /^[0-9a-f]{64}$/)
    t.not(next, token)
    t.strictSame([await askApi(page, '/system'), await askApi(page, '/system', next)], [403, 200])
    t.notMatch(page.url(), next)
  },
)

t.test('the webhook URL is set, and the API gives it out', async (t) => {
  const { host, origin } = await serveScreen(t)
  const page = await openPage(t, browser, origin)
  await page.goto('/settings/search?q=webhook')
  await page.getByRole('link', { name: 'Webhook URL' }).click()
  await page.getByLabel('Webhook URL').fill('https://router.example/ready?shop=1&x=ü')
  await page.getByLabel('Webhook URL').press('Enter')
  t.equal(await said(page), '1 setting was saved.')
  const key = 'svc_pro_export_webhook_url'
  const { body } = await host.call('GET', `/settings/values?keys[]=${key}`)
  t.equal(body.data[key], 'https://router.example/ready?shop=1&x=ü')
})

t.test(
  'a wrong value keeps what else was entered, and the list of problems leads to the field',
  async (t) => {
    const { origin } = await serveScreen(t)
    const page = await openPage(t, browser, origin)
    await page.goto('/settings/export')
    await page.getByLabel('S3 Bucket Name').fill('shop')
    await page.getByLabel('Hide Crop Marks').check()
    await page.getByLabel('Output File').selectOption('png')
    await page.getByLabel('Image DPI').fill('many')
    await save(page)
    t.match(await said(page), 'Image DPI must be a number.')
    t.match(await page.title(), /^Error: Export/)
    t.strictSame(
      [
        await page.getByLabel('S3 Bucket Name').inputValue(),
        await page.getByLabel('Hide Crop Marks').isChecked(),
        await page.getByLabel('Output File').inputValue(),
        await page.getByLabel('Image DPI').inputValue(),
      ],
      ['shop', true, 'png', 'many'],
    )
    await page.getByRole('link', { name: 'Image DPI must be' }).click()
    t.equal(await page.evaluate(() => document.activeElement?.id), 'svc_ae_image_dpi')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('150')
    await save(page)
    t.equal(await said(page), '4 settings were saved.')
  },
)

t.test('of two tabs that save, the second shows what the first has saved', async (t) => {
  const { host, origin } = await serveScreen(t)
  const first = await openPage(t, browser, origin)
  const second = await first.context().newPage()
  watch(t, second, origin)
  for (const page of [first, second]) await page.goto('/settings/export')
  await first.getByLabel('S3 Bucket Name').fill('first')
  await first.getByLabel('S3 Root Directory').fill('theirs')
  await save(first)
  await second.getByLabel('S3 Bucket Name').fill('second')
  await save(second)
  t.match(await said(second), 'Another user has changed settings of this tab')
  t.equal(await second.locator('.overlap').innerText(), 'Changed by another user meanwhile: first')
  t.equal(await second.getByLabel('S3 Root Directory').inputValue(), 'theirs')
  const stored = async () =>
    (await host.call('GET', '/settings/values?keys[]=svc_ae_s3_bucket')).body.data.svc_ae_s3_bucket
  t.equal(await stored(), 'first')
  await save(second)
  t.equal(await stored(), 'second')
})

t.test('everything works without scripts', async (t) => {
  const { host, origin } = await serveScreen(t)
  const page = await openPage(t, browser, origin, { javaScriptEnabled: false })
  await page.goto('/settings/api')
  t.equal(await page.getByRole('button').filter({ visible: true }).count(), 2)
  await page.getByLabel('Fonts API').uncheck()
  await save(page)
  t.equal(await said(page), '1 setting was saved.')
  t.equal((await host.call('GET', '/fonts')).status, 404)
  await page.getByLabel('Search all settings').fill('dpi')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Image DPI' }).click()
  await page.getByLabel('Image DPI').fill('x')
  await save(page)
  t.match(await said(page), 'Image DPI must be a number.')
  await page.goto('/settings/clear-token')
  await page.getByRole('button', { name: 'Rotate token' }).click()
  t.equal(await page.getByRole('textbox', { name: 'API Token' }).inputValue(), '')
  await page.getByRole('link', { name: 'Status' }).click()
  t.match(await page.getByRole('main').innerText(), 'Responds in')
})

t.test('a named token is made, copied, used, and revoked, without scripts, too', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const { host, origin } = await serveScreen(t)
    const permissions = ['clipboard-read', 'clipboard-write']
    const page = await openPage(t, browser, origin, { javaScriptEnabled, permissions })
    await page.goto('/settings/api')
    await page.getByRole('link', { name: 'Create tokens with limited rights' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('agent')
    await page.getByLabel('Read products', { exact: true }).check()
    await page.getByRole('button', { name: 'Create token' }).click()
    t.equal(await said(page), 'The token was created.')
    const made = await page.getByLabel('Copy it now').inputValue()
    if (javaScriptEnabled) {
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByText('Copied.').waitFor()
      t.equal(await page.evaluate(() => navigator.clipboard.readText()), made)
    }
    const authorization = `Bearer ${made}`
    const status = async (path: string) => (await host.call('GET', path, undefined, { authorization })).status
    t.strictSame([await status('/products'), await status('/system')], [200, 403])
    t.notMatch(page.url(), made)
    await page.getByRole('link', { name: 'Revoke agent' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Revoke agent' }).click()
    await page.getByRole('button', { name: 'Revoke token' }).click()
    t.equal(await said(page), 'The token was revoked.')
    t.equal(await status('/products'), 403)
  }
})

t.test('a page with entries that were not saved asks before it is left', async (t) => {
  const { origin } = await serveScreen(t)
  const page = await openPage(t, browser, origin)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    dialog.accept()
  })
  await page.goto('/settings/export')
  await page.getByRole('link', { name: 'Status' }).click()
  await page.waitForURL('**/status')
  t.strictSame(asked, [])
  await page.goto('/settings/export')
  await page.getByLabel('S3 Bucket Name').pressSequentially('x')
  await page.getByRole('link', { name: 'Status' }).click()
  await page.waitForURL('**/status')
  t.strictSame(asked, ['beforeunload'])
})

t.test('values that a browser could change come back unchanged', async (t) => {
  const { host, origin } = await serveScreen(t)
  const odd = {
    svc_hex_names: '\n\n  two breaks, <b>&amp;</b> "quotes"\nend ',
    svc_color_prices: ' edges\t',
    svc_all_text_colors: 'a\r\nb\r\n',
    svc_watermark_image: 'x'.repeat(300),
    svc_color_lists: '{"a":["</textarea>","\\u0000"],"b":1.5}',
    svc_languages: 'a:2:{i:0;s:5:"en_US";i:1;i:7;}',
  }
  await store(host, odd)
  const page = await openPage(t, browser, origin)
  for (const tab of [
    'general',
    'element-properties',
    'fonts',
    'colors',
    'woocommerce',
    'export',
    'addons',
    'advanced',
    'api',
  ]) {
    await page.goto(`/settings/${tab}`)
    await save(page)
    t.equal(await said(page), 'Nothing was changed.', tab)
  }
})

t.test('a color that is dragged above another one stays there', async (t) => {
  const { host, origin } = await serveScreen(t)
  const colors = ['#111111', '#222222', '#333333'].map((hex, at) => ({
    id: `c${at}`,
    name: `Color ${at}`,
    hex,
  }))
  await host.call('PUT', '/color-library', { colors, palettes: [] })
  const page = await openPage(t, browser, origin)
  await page.goto('/settings/edit-color-library')
  await page.locator('#colors-2').dragTo(page.locator('#colors-0'))
  await page.waitForURL('**/edit-color-library?saved=1#colors-0')
  t.strictSame(await page.locator('.entries .name').allInnerTexts(), ['Color 2', 'Color 0', 'Color 1'])
  await page.getByRole('button', { name: 'Move Color 2 down' }).click()
  await page.waitForURL('**/edit-color-library?saved=1#colors-1')
  t.strictSame(await page.locator('.entries .name').allInnerTexts(), ['Color 0', 'Color 2', 'Color 1'])
})
