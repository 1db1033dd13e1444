// Visits everything that a running host links to, in a browser, presses every button, and notes what fails.
import { appendFileSync } from 'node:fs'
import type { BrowserContext, Locator, Page } from 'playwright-core'

export interface Crawl {
  /** Paths in the order in which they were visited. */
  visited: Set<string>
  problems: string[]
  /** Whether a failure of this URL is meant. */
  isExpected: (url: string) => boolean
}

/** More addresses than a demo has: a crawl that finds more goes round in circles. */
const maxAddresses = 400

/** Notes failed requests, errors of scripts and what the browser complains about. */
export function observe(page: Page, { problems, isExpected }: Crawl): void {
  const note = (problem: string) => problems.push(`${problem} on ${page.url()}`)
  page.on('response', (response) => {
    if (response.status() >= 400 && !isExpected(response.url()))
      note(`${response.status()} of ${response.request().method()} ${response.url()}`)
  })
  page.on('pageerror', (error) => note(`script error: ${error}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.location().url)) note(message.text())
  })
  page.on('dialog', (dialog) => void dialog.accept())
}

/** Addresses of unexpectedly missing pictures, those that are loaded late among them. */
async function missingPictures(page: Page, isExpected: Crawl['isExpected']): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    await page.waitForFunction(() =>
      [...document.images].every((image) => {
        image.loading = 'eager'
        return image.complete
      }),
    )
    const broken = await page.evaluate(() =>
      [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
    )
    const missing = broken.filter((source) => !isExpected(source))
    // Parts of the desk renew themselves, which begins the loading of their pictures again.
    if (missing.length === 0 || tries === 10) return missing
    await page.waitForTimeout(500)
  }
}

/** Addresses of this site that the page links to, and whether they are files. */
async function linksOn(page: Page): Promise<{ path: string; isFile: boolean }[]> {
  const { origin } = new URL(page.url())
  const links = await page.locator('a[href]').evaluateAll((all) =>
    all.map((each) => ({
      href: (each as HTMLAnchorElement).href,
      isDownload: each.hasAttribute('download'),
    })),
  )
  return links
    .filter(({ href }) => href.startsWith(`${origin}/`))
    .map(({ href, isDownload }) => {
      const { pathname, search } = new URL(href)
      return { path: pathname + search, isFile: isDownload || /\.\w+$/.test(pathname) }
    })
}

async function open(page: Page, path: string, { problems, isExpected }: Crawl): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  const missing = await missingPictures(page, isExpected)
  problems.push(...missing.map((source) => `no picture ${source} on ${path}`))
}

/** Follows all links from these paths, which are visited even if they were before. */
export async function crawl(page: Page, starts: readonly string[], found: Crawl): Promise<void> {
  const { visited, problems } = found
  for (const path of starts) visited.delete(path)
  const waiting = starts.map((path) => ({ path, isFile: false }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { path, isFile } = next
    if (visited.has(path)) continue
    visited.add(path)
    if (visited.size > maxAddresses) throw new Error(`There are more than ${maxAddresses} addresses.`)
    if (isFile) await assertFile(page.context(), path, problems)
    else {
      await open(page, path, found)
      waiting.push(...(await linksOn(page)))
    }
  }
}

/** Fetches a file with the login of the browser. */
export async function assertFile(context: BrowserContext, path: string, problems: string[]): Promise<void> {
  const response = await context.request.get(path)
  if (!response.ok() || (await response.body()).length === 0)
    problems.push(`${response.status()} of the file ${path}`)
}

/** The form of a button with its words; undefined if it cannot be pressed, or has left a page that renews itself. */
const nameOf = (buttons: Locator, index: number) =>
  buttons.evaluateAll((all, at) => {
    const each = all[at] as HTMLButtonElement | undefined
    if (!each || each.disabled || !each.checkVisibility()) return undefined
    const { form, textContent, type } = each
    return {
      words: (textContent ?? '').replace(/\s+/g, ' ').trim(),
      action: form?.getAttribute('action') ?? '',
      isSent: type === 'submit' && form?.checkValidity() === true,
    }
  }, index)

/** Presses each button of these pages once, on the first page that has it. */
export async function pressButtons(page: Page, paths: readonly string[], found: Crawl): Promise<void> {
  const pressed = new Set<string>()
  const isPage = (path: string) => !/\.\w+$|\/file/.test(path)
  for (const path of paths.filter(isPage)) {
    await open(page, path, found)
    const buttons = page.locator('button')
    for (let index = 0; ; index++) {
      // What was pressed before has led elsewhere.
      if (!page.url().endsWith(path)) await page.goto(path)
      // It may have taken an entry with its buttons off the page, too.
      if (index >= (await buttons.count())) break
      const button = buttons.nth(index)
      const name = await nameOf(buttons, index)
      const key = `${name?.action} ${name?.words}`
      if (!name || pressed.has(key)) continue
      pressed.add(key)
      await fillNote(button)
      found.visited.add(`${path} [${name.words}]`)
      if (!(await press(page, button, name.isSent)))
        found.problems.push(`"${name.words}" on ${path} sends nothing`)
      const refusals = await page.locator('[role=alert]').allInnerTexts()
      found.problems.push(...refusals.filter(Boolean).map((text) => `"${name.words}" on ${path}: ${text}`))
    }
  }
}

/** Fills the note beside a button, without which a problem is refused. */
const fillNote = (button: Locator) =>
  button.evaluate((element) => {
    const note = (element as HTMLButtonElement).form?.elements.namedItem('note')
    if (note instanceof HTMLInputElement) note.value = 'The color is wrong.'
  })

/** @returns false if the button left a page that renews itself before it could be pressed */
async function click(page: Page, button: Locator): Promise<boolean> {
  try {
    await button.click({ timeout: 10_000 })
    return true
  } catch (error) {
    if ((await page.locator('[data-live]').count()) === 0) throw error
    return false
  }
}

/** @returns false if a form was to be sent and nothing was */
async function press(page: Page, button: Locator, isSent: boolean): Promise<boolean> {
  if (!isSent) {
    await click(page, button)
    return true
  }
  const sending = page
    .waitForRequest((request) => request.isNavigationRequest() || request.method() === 'POST')
    .catch(() => undefined)
  const leaving = page.waitForEvent('framenavigated').catch(() => undefined)
  if (!(await click(page, button))) return true
  const sent = await sending
  if (sent?.isNavigationRequest()) await leaving
  else await sent?.response()
  await page.waitForLoadState('load')
  return sent !== undefined
}

/** Appends the addresses to the file that the environment names, if it does. */
export function reportAddresses(title: string, addresses: Iterable<string>): void {
  const file = process.env.SVC_TEST_ADDRESSES
  if (file) appendFileSync(file, `# ${title}\n${[...addresses].join('\n')}\n`)
}
