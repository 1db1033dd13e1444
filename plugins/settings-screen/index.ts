// The settings screen: pages for the administrator of a shop, under a path that the host chooses. It is not a group of the API.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { checkOptions } from '../../src/core/check-options.ts'
import { type Html, html } from '../../src/core/html.ts'
import { runningContext } from '../../src/http/running-apis.ts'
import { serveFolder } from '../../src/pages/folder.ts'
import { queryValue } from '../../src/pages/form.ts'
import { linkTo } from '../../src/pages/html.ts'
import { style } from '../../src/pages/style.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { findSettings } from '../../src/settings/synonyms.ts'
import { colorRoutes } from './color-routes.ts'
import { elsewhere } from './elsewhere.ts'
import { orderPictures } from './job-table.ts'
import { anchorOf, fixedPages, titleOf } from './layout.ts'
import { namedTokenRoutes } from './named-tokens.ts'
import { type SettingsScreenOptions, screenOptions } from './options.ts'
import { outputRoutes } from './output-routes.ts'
import { rotationRoutes } from './rotate-token.ts'
import { type Screen, screenOf } from './screen.ts'
import { script } from './script.ts'
import { statusPage } from './status-page.ts'
import { settingsStyle } from './style.ts'
import { tabRoutes } from './tab-routes.ts'
import { templateRoutes } from './template-routes.ts'
import { tokenConfirmationRoutes } from './token-confirmations.ts'

export type { SettingsScreenOptions } from './options.ts'

const settingsScreen: FastifyPluginAsync<SettingsScreenOptions> = async (app, options) => {
  checkOptions(screenOptions, options)
  if (app.prefix === '') throw new Error('prefix: must be given, such as "/settings".')
  const context = runningContext(app, options.baseUrl)
  assertSlugs(context.catalog.tabs)
  const screen = screenOf(app, context, options)
  statusAndSearch(app, screen)
  tabRoutes(screen)
  tokenConfirmationRoutes(screen)
  namedTokenRoutes(screen)
  rotationRoutes(screen)
  orderPictures(app, context)
  templateRoutes(screen)
  colorRoutes(screen)
  outputRoutes(screen)
}

/** @throws Error if a tab of the host has the slug of a page of the screen, or one that no URL can contain */
function assertSlugs(tabs: readonly string[]): void {
  const taken = new Set<string>([...fixedPages, '.', '..'])
  const bad = tabs.find((tab) => taken.has(tab) || !tab.isWellFormed())
  if (bad !== undefined)
    throw new Error(`settings: "${bad}" cannot be the slug of a tab of the settings screen.`)
}

function statusAndSearch(app: FastifyInstance, screen: Screen): void {
  const { context } = screen
  const { catalog } = context
  const drawStatus = statusPage(context, (code, message) => app.log.warn({ code }, message))

  serveFolder(app, { style: style + settingsStyle, script, first: () => linkTo(catalog.tabs[0] ?? 'status') })

  screen.get('/status', async (request, reply) => {
    const main = await drawStatus(screen.deskUrl(request))
    return screen.send(reply, { title: 'Status', current: 'status', main })
  })

  screen.get('/search', async (request, reply) => {
    const text = queryValue(request, 'q').trim().slice(0, 200)
    const matches = text === '' ? [] : findSettings(catalog.all, text)
    return screen.send(reply, { title: 'Search', search: text, main: searchPage(text, matches) })
  })
}

/** The page of a search: settings of all tabs that the text means, and hints about what is set in another place. */
function searchPage(text: string, matches: readonly Setting[]): Html {
  if (text === '') return html`<p>Enter a part of the name, key or description of a setting.</p>`
  const hints = elsewhere(text).map((hint) => html`<p class="notice">${hint}</p>`)
  if (matches.length === 0) return html`<p role="status">No setting matches “${text}”.</p>${hints}`
  return html`
<p role="status">${matches.length === 1 ? '1 setting matches' : `${matches.length} settings match`} “${text}”.</p>${hints}
<ul class="found">${matches.map(
    ({ id, label, description, tab, sectionLabel }) => html`
<li><a href="${linkTo(tab)}#${anchorOf(id)}">${label}</a> <span class="place">${titleOf(tab)} › ${sectionLabel}</span>
<p>${description}</p><p class="key"><code>${id}</code></p></li>`,
  )}</ul>`
}

/**
 * Pages to administer the API that runs in the same app: register it after `svcApi` (or `svcContext`), with a prefix.
 * @example app.register(svcSettingsScreen, { prefix: '/settings', authorize: (request) => isAdministrator(request) })
 * @throws Error with a sentence when an option is wrong, no prefix is given or no API was registered before
 */
export const svcSettingsScreen = fp(settingsScreen, {
  name: 'svc-api-settings-screen',
  fastify: '5.x',
  encapsulate: true,
})
export default svcSettingsScreen
