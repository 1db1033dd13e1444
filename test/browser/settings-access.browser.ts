// The settings screen for everybody: keyboard, screen readers, narrow screens, dark and light; and its pictures in the README.
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { axeFindings, openPage, serveScreen } from '../support/hosts/browsing.ts'
import type { TestHost } from '../support/hosts/build.ts'
import { makeToken } from '../support/hosts/named-tokens.ts'
import { startChromium } from '../support/peers/chromium.ts'

const browser = await startChromium(t)

const tabs = [
  'general',
  'element-properties',
  'fonts',
  'colors',
  'woocommerce',
  'export',
  'text-templates',
  'addons',
  'advanced',
  'api',
]
const paths = [
  ...tabs,
  'status',
  'search?q=color',
  'search?q=nothing-like-it',
  'clear-token',
  'no-such-page',
  'named-tokens',
  'revoke-token?name=agent',
  'rotate-token?name=agent',
  'edit-color-library',
  'edit-color?id=sun',
  'edit-palette?id=summer',
  'import-color-library',
]

const colorLibrary = {
  colors: [
    { id: 'sun', name: 'Sun', hex: '#ffcc00', price: 2, spot: 'PANTONE 116 C', cmyk: [0, 18, 100, 0] },
  ],
  palettes: [{ id: 'summer', name: 'Summer', colorIds: ['sun'] }],
}

async function addJobs({ db, t: names }: TestHost): Promise<void> {
  const rows = [
    {
      guid: '5f0c7c0e-6f7e-4d62-9c39-0c1d2f3a4b5c',
      status: 'completed',
      details: '{}',
      data: '{"local_file":"https://shop.example/order-7.pdf"}',
    },
    { guid: '5f0c7c0e-6f7e-4d62-9c39-0c1d2f3a4b5d', status: 'failed', details: '{}' },
  ]
  for (const row of rows) await db.insertInto(names.print_jobs).values(row).execute()
}

/** Enters what is wrong into the export tab, so that it comes back with problems. */
async function withProblems(page: Page): Promise<void> {
  await page.goto('/settings/export')
  await page.getByLabel('Image DPI').fill('many')
  await page.getByRole('button', { name: 'Save changes' }).click()
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1200, 360]) {
    t.test(`axe-core finds nothing on any page: ${colorScheme}, ${width} pixels`, async (t) => {
      const { host, origin } = await serveScreen(t)
      await addJobs(host)
      await host.call('PUT', '/color-library', colorLibrary)
      await makeToken(host, 'agent', ['read', 'design_categories:write'])
      const page = await openPage(t, browser, origin, { colorScheme, viewport: { width, height: 800 } })
      for (const path of paths) {
        await page.goto(`/settings/${path}`)
        t.strictSame(await axeFindings(page), [], path)
      }
      await withProblems(page)
      t.strictSame(await axeFindings(page), [], 'problems')
      for (const name of ['agent', 'new agent']) {
        await page.goto('/settings/named-tokens')
        await page.getByRole('textbox', { name: 'Name' }).fill(name)
        await page.getByLabel('Read everything').check()
        await page.getByRole('button', { name: 'Create token' }).click()
        t.strictSame(await axeFindings(page), [], `a token named ${name}`)
      }
    })
  }
}

t.test('axe-core does find what is wrong', async (t) => {
  const { origin } = await serveScreen(t)
  const page = await openPage(t, browser, origin)
  await page.goto('/settings/export')
  await page.evaluate(() => document.querySelector('label[for=svc_ae_s3_bucket]')?.remove())
  t.match((await axeFindings(page)).join(), /(^|,)label: /)
})

t.test('no page is wider than a narrow screen', async (t) => {
  const { host, origin } = await serveScreen(t)
  await addJobs(host)
  const page = await openPage(t, browser, origin, { viewport: { width: 320, height: 640 } })
  for (const path of paths) {
    await page.goto(`/settings/${path}`)
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, path)
  }
  // A field stands below its description there.
  await page.goto('/settings/export')
  const [about, control] = await Promise.all(
    ['.about', '.control'].map((part) => page.locator(`#field-svc_ae_s3_bucket ${part}`).boundingBox()),
  )
  t.ok(about && control && control.y >= about.y + about.height && control.width > 200)
})

t.test('a toggle is changed with the keyboard alone', async (t) => {
  const { host, origin } = await serveScreen(t)
  const page = await openPage(t, browser, origin)
  await page.goto('/settings/api')
  await page.keyboard.press('Tab')
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content')
  t.ok(await page.locator('.skip').evaluate((link) => link.getBoundingClientRect().left >= 0))
  await page.keyboard.press('Enter')
  const focused = () => page.evaluate(() => document.activeElement?.id)
  for (let steps = 0; steps < 20 && (await focused()) !== 'svc_api_assets_enabled'; steps++)
    await page.keyboard.press('Tab')
  t.equal(await focused(), 'svc_api_assets_enabled')
  t.not(await page.locator(':focus').evaluate((box) => getComputedStyle(box).outlineStyle), 'none')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  t.equal(await page.locator('[role=status]').innerText(), '1 setting was saved.')
  t.equal((await host.call('GET', '/assets')).status, 404)
})

t.test('screenshots of three tabs are small; SVC_SCREENSHOTS names a folder to keep them in', async (t) => {
  const folder = process.env.SVC_SCREENSHOTS
  const { host, origin } = await serveScreen(t)
  await addJobs(host)
  await host.call('PATCH', '/settings', {
    svc_pro_export_webhook_url: 'https://router.example/ready',
    svc_api_fonts_enabled: false,
  })
  for (const [name, colorScheme] of [
    ['general', 'light'],
    ['export', 'light'],
    ['api', 'dark'],
  ] as const) {
    const page = await openPage(t, browser, origin, { colorScheme, viewport: { width: 1200, height: 800 } })
    await page.goto(`/settings/${name}`)
    const picture = await sharp(await page.screenshot())
      .png({ palette: true, colours: 48, effort: 10 })
      .toBuffer()
    t.ok(picture.length < 60 * 1024, `${name}: ${picture.length} bytes`)
    if (folder) await writeFile(resolve(folder, `settings-${name}.png`), picture)
    const kept = await readFile(resolve(import.meta.dirname, `../../docs/settings-${name}.png`))
    t.ok(kept.length < 60 * 1024)
  }
})
