// The reference page in a real browser, under its own policy: it renders, and a request can be tried.
import t from 'tap'
import { svcReference } from '../../plugins/index.ts'
import { axeFindings, openPage } from '../support/hosts/browsing.ts'
import { build, token } from '../support/hosts/build.ts'
import { makeToken } from '../support/hosts/named-tokens.ts'
import { startChromium } from '../support/peers/chromium.ts'

const browser = await startChromium(t)

t.test('the document appears once the token is entered, and a request can be tried with it', async (t) => {
  const { app, call } = await build(t, {
    after: (host) => host.register(svcReference, { prefix: '/api-docs', title: 'Shop <API>' }),
  })
  await call('POST', '/products', { title: 'Mug' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const page = await openPage(t, browser, origin)
  await page.goto('/api-docs')
  t.equal(await page.title(), 'Shop <API>')
  t.same(await axeFindings(page), [])
  await page.getByLabel('API token').fill('0'.repeat(64))
  await page.getByRole('button', { name: 'Load' }).click()
  await page.getByText('Invalid API token').waitFor()
  await page.getByLabel('API token').fill(token)
  await page.getByRole('button', { name: 'Load' }).click()
  await page.locator('#operations-tag-products').click()
  await page.locator('#operations-products-list_products .opblock-summary-control').click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url().includes('/svc/v1/products')),
    page.getByRole('button', { name: 'Execute' }).click(),
  ])
  t.equal(response.status(), 200)
  await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).first().waitFor()
})

t.test('it is dark where the browser asks for that, and a filter finds operations', async (t) => {
  const { app } = await build(t, { after: (host) => host.register(svcReference, { prefix: '/api-docs' }) })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const page = await openPage(t, browser, origin, { colorScheme: 'dark' })
  await page.goto('/api-docs')
  t.same(await axeFindings(page), [])
  await page.getByLabel('API token').fill(token)
  await page.getByRole('button', { name: 'Load' }).click()
  await page.getByPlaceholder('Filter').fill('fonts')
  await page.locator('#operations-tag-products').waitFor({ state: 'detached' })
  t.strictSame(await page.locator('.opblock-tag').count(), 1)
  t.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(28, 32, 34)')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)')
})

t.test('a token with limited rights gets what it may do, and nothing else', async (t) => {
  const host = await build(t, { after: (app) => app.register(svcReference, { prefix: '/api-docs' }) })
  const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
  const page = await openPage(t, browser, origin)
  await page.goto('/api-docs')
  await page.getByLabel('API token').fill(await makeToken(host, 'agent', ['products:read']))
  await page.getByRole('button', { name: 'Load' }).click()
  await page.locator('#operations-tag-products').waitFor()
  t.strictSame(await page.locator('.opblock-tag').count(), 1)
  await page.locator('#operations-tag-products').click()
  await page.locator('#operations-products-list_products').waitFor()
  t.equal(await page.locator('#operations-products-create_product').count(), 0)
})

t.test('its files carry the policy, and nothing is stored in the browser', async (t) => {
  const { app } = await build(t, { after: (host) => host.register(svcReference, { prefix: '/api-docs' }) })
  for (const path of ['/api-docs', '/api-docs/reference.js', '/api-docs/swagger-ui-bundle.js']) {
    const { statusCode, headers } = await app.inject(path)
    t.equal(statusCode, 200, path)
    t.match(headers['content-security-policy'], /^default-src 'none'; script-src 'self'; style-src 'self';/)
    t.equal(
      (await app.inject({ url: path, headers: { 'if-none-match': String(headers.etag) } })).statusCode,
      304,
    )
  }
  t.notMatch((await app.inject('/api-docs/reference.js')).payload, /localStorage|sessionStorage|cookie/)
})
