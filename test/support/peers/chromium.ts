/** Debian's Chromium for the tests that need a real browser, driven by playwright-core. */
import { type Browser, chromium } from 'playwright-core'
import type { Test } from 'tap'
import { ensureCommands } from '../debian.ts'

/** Path of the browser: the one that `SVC_CHROMIUM` names, else Debian's, installed when it is missing. */
export async function chromiumPath(): Promise<string> {
  return process.env.SVC_CHROMIUM || (await ensureCommands({ chromium: 'chromium' })).chromium
}

/** Starts a headless browser of its own profile, closed with the test. Fetch nothing in it but from loopback. */
export async function startChromium(t: Test): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    // Containers give little shared memory; what is drawn must not depend on a graphics card.
    args: ['--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb'],
  })
  t.teardown(() => browser.close())
  return browser
}
