// Pictures of the pages of the example host, on a new database, after `npm run build`: `node tools/screenshots.ts` renews
// those of the documents, `node tools/screenshots.ts FOLDER` takes every page, wide and narrow, light and dark.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { chromiumPath } from '../test/support/peers/chromium.ts'

const root = resolve(import.meta.dirname, '..')
const password = 'only for pictures'

interface Served {
  origin: string
  stop: () => void
}

/** The example host with its demo shop, on a free port. */
async function exampleHost(folder: string): Promise<Served> {
  const child = spawn(process.execPath, [join(root, 'examples/host/index.ts')], {
    cwd: folder,
    env: { ...process.env, PORT: '0', SVC_ADMIN_PASSWORD: password, DATABASE_URL: 'sqlite:shop.sqlite' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const origin = /^Listening on\s+(\S+)/.exec(line)?.[1]
    if (origin) return { origin, stop: () => child.kill() }
  }
  throw new Error('The example host did not start.')
}

type Look = { width: number; height: number; colorScheme: 'light' | 'dark' }

async function open(browser: Browser, origin: string, { colorScheme, ...viewport }: Look): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport,
    colorScheme,
    httpCredentials: { username: 'admin', password },
  })
  return context.newPage()
}

/** Loads a page with all its pictures. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager'
    await Promise.all([...document.images].map((picture) => picture.decode().catch(() => {})))
  })
}

/** With a palette, so that the files stay small. */
const saved = async (bytes: Buffer, file: string) =>
  writeFile(file, await sharp(bytes).png({ palette: true, colours: 64, effort: 10 }).toBuffer())

/** The pictures of the documents: file, page and colors. */
const pictures = [
  ['docs/settings-general.png', '/settings/general', 'light'],
  ['docs/settings-export.png', '/settings/export', 'light'],
  ['docs/settings-api.png', '/settings/api', 'dark'],
  ['docs/desk-orders.png', '/desk/orders', 'light'],
] as const

async function renewPictures(browser: Browser, origin: string): Promise<void> {
  const page = await open(browser, origin, { width: 1200, height: 800, colorScheme: 'light' })
  await printed(page)
  for (const [file, path, colorScheme] of pictures) {
    await page.emulateMedia({ colorScheme })
    await visit(page, path)
    await saved(await page.screenshot(), join(root, file))
  }
}

/** The page of an order of this customer. */
async function orderOf(page: Page, customer: string): Promise<string> {
  await visit(page, '/desk/orders')
  const order = page.locator('.orders > li').filter({ hasText: customer }).first()
  return `/desk/${await order.locator('.name a').getAttribute('href')}`
}

/** Until the host has printed its demo orders. */
async function printed(page: Page): Promise<void> {
  for (let files = 0; files < 2; files = await page.locator('a[download]').count())
    await visit(page, '/desk/queue')
}

async function takeAll(browser: Browser, origin: string, folder: string): Promise<void> {
  const first = await open(browser, origin, { width: 1200, height: 800, colorScheme: 'light' })
  await printed(first)
  const order = await orderOf(first, 'Noor')
  const good = await orderOf(first, 'Ada Example')
  await visit(first, '/desk/products')
  await first.getByRole('button', { name: 'Check all products' }).click()
  await first.getByText(/products checked until/).waitFor()
  const linked = async (pages: string) => {
    await visit(first, pages)
    const links = first.locator('nav[aria-label] > ul a:not([href*="#"])')
    const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    return hrefs.flatMap((href) => (href && !href.startsWith('/') ? [`${pages}${href}`] : []))
  }
  const pages = [...(await linked('/desk/')), ...(await linked('/settings/'))]
  const edited = ['print-output', 'text-templates', 'color-library'].map((name) => `/settings/edit-${name}`)
  const paths = ['/', '/reference/', good, order, order.replace('/order?', '/check?'), ...pages, ...edited]
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1200]) {
      const page = await open(browser, origin, { width, height: 900, colorScheme })
      for (const path of paths) {
        await visit(page, path)
        const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home'
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true })
      }
    }
}

const folder = await mkdtemp(join(tmpdir(), 'svc-pictures-'))
const browser = await chromium.launch({
  executablePath: await chromiumPath(),
  args: ['--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb'],
})
const host = await exampleHost(folder)
try {
  const [target] = process.argv.slice(2)
  if (target) await takeAll(browser, host.origin, resolve(target))
  else await renewPictures(browser, host.origin)
} finally {
  host.stop()
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
