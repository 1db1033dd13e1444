// Explores a fresh demo shop as a newcomer does: every link, button, order, job, product and download.
import type { BrowserContext, Page } from 'playwright-core'
import type { Test } from 'tap'
import { startChromium } from '../peers/chromium.ts'
import { assertFile, type Crawl, crawl, observe, pressButtons, reportAddresses } from './crawl.ts'
import { type Running, start, tokenIn } from './example-host.ts'

const password = 'correct horse battery'

/** Its button ends the token with which the API is read. */
const lastPage = '/settings/clear-token'

/** The order whose picture the demo has lost on purpose: nothing can be drawn of it. */
const isLost = (url: string) => /\/(?:preview|order-picture)\?type=shortcode&(?:id|order)=1&/.test(url)

/** Reads the API with the token that the host has printed. */
const reader = (running: Running) => async (path: string) => {
  const headers = { authorization: `Bearer ${tokenIn(running)}` }
  const response = await running.get(`/wp-json/svc/v1${path}`, { headers })
  return { status: response.status, body: (await response.json()) as { data: Item[] & Item } }
}

interface Item extends Record<string, unknown> {
  id: number
  status?: string
}

async function whenPrinted(running: Running, count: number): Promise<Item[]> {
  const read = reader(running)
  let states = ''
  for (let tries = 0; tries < 1500; tries++) {
    const { status, body } = await read('/print-jobs?limit=100')
    if (status !== 200) throw new Error(`The print jobs cannot be read: ${status}.`)
    const jobs = body.data
    states = jobs.map(({ id, status }) => `${id} ${status}`).join(', ')
    if (jobs.length >= count && jobs.every(({ status }) => status === 'completed' || status === 'failed'))
      return jobs
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`The jobs of the demo do not end: ${states}.`)
}

/**
 * Starts the demo, visits all that it links to and presses all of its buttons.
 * @param variables of the environment of `npm start`
 * @param title of the list of visited addresses
 */
export async function exploreDemo(t: Test, variables: Record<string, string>, title: string): Promise<void> {
  t.setTimeout(580_000)
  const browser = await startChromium(t)
  const running = await start(t, t.testdir({}), {
    SVC_ADMIN_PASSWORD: password,
    SVC_AUDIT: '1',
    SVC_WEBHOOK_URL: 'http://127.0.0.1:9/',
    SVC_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ...variables,
  })
  await whenPrinted(running, 3)
  const context = await browser.newContext({
    baseURL: /Listening on +(\S+)/.exec(running.printed)?.[1] ?? '',
    httpCredentials: { username: 'admin', password },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const found: Crawl = { visited: new Set(), problems: [], isExpected: isLost }
  observe(page, found)

  await t.test('every link and every button of home, desk and settings', async (t) => {
    await crawl(page, ['/', '/favicon.ico', '/desk', '/settings'], found)
    t.same(found.problems.splice(0), [])
    const visited = [...found.visited]
    t.equal(new Set(visited.flatMap((path) => orderIn(path) ?? [])).size, 12)
    // Each order has one page, to which links with an item lead as well.
    const isRepeated = (path: string) => orderIn(path) !== path && visited.includes(orderIn(path) ?? '')
    await pressButtons(
      page,
      visited.filter((path) => path !== lastPage && !isRepeated(path)),
      found,
    )
    t.same(found.problems.splice(0), [])
  })
  await t.test('every file that was made can be downloaded', async (t) => {
    // The three of the demo, and those that its buttons have made.
    const jobs = await whenPrinted(running, 5)
    const failed = jobs.filter(({ status }) => status === 'failed')
    for (const { error } of failed)
      t.match(error, { message: /"Your picture": The file is not in the storage|^desk cancelled the job/ })
    await crawl(page, ['/desk/queue', '/settings/status'], found)
    t.same(found.problems.splice(0), [])
  })
  await t.test('every group of the reference', async (t) => {
    await openReference(page, running, found)
    t.same(found.problems.splice(0), [])
  })
  await t.test('every resource of the API, and every file that one names', async (t) => {
    await readResources(running, context, found)
    t.same(found.problems.splice(0), [])
  })
  await t.test('the button that takes the token back', async (t) => {
    await pressButtons(page, [lastPage], found)
    t.same(found.problems.splice(0), [])
  })
  reportAddresses(title, found.visited)
}

/** The page of an order without an item; undefined for other pages. */
const orderIn = (path: string) => /^\/desk\/order\?type=[^&]+&id=\d+/.exec(path)?.[0]

async function openReference(page: Page, running: Running, { visited }: Crawl): Promise<void> {
  await page.goto('/reference')
  await page.getByLabel('API token').fill(tokenIn(running) ?? '')
  await page.getByRole('button', { name: 'Load' }).click()
  await page.locator('.opblock-tag').first().waitFor()
  // One operation of each group, and one at a time: many open ones keep the browser busy for minutes.
  for (const group of await page.locator('.opblock-tag-section').all()) {
    await group.locator('.opblock-tag').click()
    const operations = group.locator('.opblock-summary-control')
    await operations.first().click()
    await group.locator('.opblock-body').waitFor()
    await operations.first().click()
    for (const operation of await operations.all())
      visited.add(`/reference [${(await operation.innerText()).replace(/\s+/g, ' ')}]`)
  }
}

const lists = [
  'products',
  'categories',
  'design-categories',
  'pricing-rules',
  'print-profiles',
  'user-interfaces',
  'text-templates',
  'fonts',
  'assets',
  'shortcode-orders',
  'print-jobs',
  'orders?type=wc',
  'orders?type=gf',
  'orders?type=shortcode',
]

async function readResources(running: Running, context: BrowserContext, { problems, visited }: Crawl) {
  const read = reader(running)
  const get = async (path: string) => {
    const { status, body } = await read(path)
    visited.add(`/wp-json/svc/v1${path}`)
    if (status !== 200) problems.push(`${status} of ${path}`)
    return body
  }
  const files = new Set<string>()
  for (const list of lists) {
    const [path = '', query = ''] = list.split('?')
    const body = await get(`/${path}?limit=100${query && `&${query}`}`)
    const items = [...body.data]
    for (const { id } of body.data)
      if (Number.isInteger(id)) items.push((await get(`/${path}/${id}${query && `?${query}`}`)).data)
    for (const [, file = ''] of JSON.stringify(items).matchAll(/(\/uploads\/[^"\\)\s]+)/g)) files.add(file)
  }
  for (const file of files) {
    if (file.endsWith('/lost-photo.jpg')) continue
    visited.add(file)
    await assertFile(context, file, problems)
  }
}
