// The settings screen: pages for the administrator of a shop, under a path of the host's own. No group of the API.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { checkOptions } from '../../src/core/check-options.ts'
import { runningContext } from '../../src/http/running-apis.ts'
import { hidden } from '../../src/http/schema.ts'
import { fixedPages, linkTo } from './layout.ts'
import { namedTokenRoutes } from './named-token-routes.ts'
import { type SettingsScreenOptions, screenOptions } from './options-schema.ts'
import { prepareScope } from './scope.ts'
import { page, type Screen, screenOf } from './screen.ts'
import { script } from './script.ts'
import { searchPage } from './search-page.ts'
import { statusPage } from './status-page.ts'
import { style } from './style.ts'
import { tabRoutes } from './tab-routes.ts'
import { tokenRoutes } from './token-routes.ts'

export type { SettingsScreenOptions } from './options-schema.ts'

/**
 * Pages to administer the API that runs in the same app: register it after `svcApi` (or `svcContext`), with a prefix.
 * @example app.register(svcSettingsScreen, { prefix: '/settings', authorize: (request) => isAdministrator(request) })
 * @throws Error with a sentence when an option is wrong, no prefix is given or no API was registered before
 */
const settingsScreen: FastifyPluginAsync<SettingsScreenOptions> = async (app, options) => {
  checkOptions(screenOptions, options)
  if (app.prefix === '') throw new Error('prefix: must be given, such as "/settings".')
  const context = runningContext(app, options.baseUrl)
  const screen = screenOf(context, options)
  assertSlugs(context.catalog.tabs)
  prepareScope(app, context, options.authorize)
  pages(app, screen)
  tabRoutes(app, screen)
  tokenRoutes(app, screen)
  namedTokenRoutes(app, screen)
}

function assertSlugs(tabs: readonly string[]): void {
  const taken = new Set<string>([...fixedPages, '.', '..'])
  const bad = tabs.find((tab) => taken.has(tab) || !tab.isWellFormed())
  if (bad !== undefined)
    throw new Error(`settings: "${bad}" cannot be the slug of a tab of the settings screen.`)
}

function pages(app: FastifyInstance, screen: Screen): void {
  const { context } = screen
  const { catalog } = context
  const drawStatus = statusPage(context, (code, message) => app.log.warn({ code }, message))

  // Relative to the last part of the path, with a slash at the end or without.
  app.get('/', { schema: hidden }, async ({ raw }, reply) => {
    const [path = ''] = (raw.url ?? '').split('?', 1)
    const folder = path.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`
    return reply.redirect(`${folder}${linkTo(catalog.tabs[0] ?? 'status')}`, 303)
  })

  app.get('/status', {
    schema: hidden,
    handler: page(async (_request, reply) =>
      screen.send(reply, { title: 'Status', current: 'status', main: await drawStatus() }),
    ),
  })

  app.get('/search', {
    schema: hidden,
    handler: page(async ({ query }, reply) => {
      const given: unknown = [Reflect.get(Object(query), 'q')].flat().at(-1)
      const text = String(given ?? '')
        .trim()
        .slice(0, 200)
      const found = text === '' ? [] : catalog.search(text)
      return screen.send(reply, { title: 'Search', search: text, main: searchPage(text, found) })
    }),
  })

  app.get('/screen.css', { schema: hidden }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  )
  app.get('/screen.js', { schema: hidden }, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  )
}

export const svcSettingsScreen = fp(settingsScreen, {
  name: 'svc-api-settings-screen',
  fastify: '5.x',
  encapsulate: true,
})
export default svcSettingsScreen
