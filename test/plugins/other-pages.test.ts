// Desk, settings screen and reference page link to each other and to the start page of the app.
import t from 'tap'
import { svcDesk, svcReference, svcSettingsScreen } from '../../plugins/index.ts'
import type { Scope } from '../../src/core/scopes.ts'
import { build } from '../support/hosts/build.ts'
import { screenClient } from '../support/hosts/screen.ts'

const [homeUrl, deskUrl, settingsUrl, referenceUrl] = ['/', '/desk/', '/settings/', '/reference?a&b']

t.test('svcDesk, svcSettingsScreen, svcReference: each page links to the three others', async (t) => {
  let scopes: 'all' | Scope[] = 'all'
  const { app } = await build(t, {
    after: (app) => {
      const user = () => ({ name: 'anna', scopes })
      app.register(svcSettingsScreen, {
        prefix: '/settings',
        authorize: () => true,
        homeUrl,
        deskUrl,
        referenceUrl,
      })
      app.register(svcDesk, { prefix: '/desk', authorize: user, homeUrl, settingsUrl, referenceUrl })
      app.register(svcReference, { prefix: '/reference', homeUrl, deskUrl, settingsUrl })
      app.register(svcReference, { prefix: '/alone' })
    },
  })
  const client = screenClient(app, { prefix: '' })
  const linksOf = async (path: string) => {
    const { document } = await client.get(path)
    return [...document.querySelectorAll('nav[aria-label="Other pages"] a')].map((link) =>
      link.getAttribute('href'),
    )
  }
  t.same(await linksOf('settings/status'), [homeUrl, deskUrl, referenceUrl])
  t.same(await linksOf('settings/no-such-page'), [homeUrl, deskUrl, referenceUrl])
  t.same(await linksOf('desk/orders'), [homeUrl, settingsUrl, referenceUrl])
  t.same(await linksOf('reference/'), [homeUrl, deskUrl, settingsUrl])
  t.same(await linksOf('alone/'), [])
  scopes = ['orders:read']
  t.same(await linksOf('desk/orders'), [homeUrl, referenceUrl], 'only users who may read settings')
})

t.test('svcSettingsScreen: visitors who are not admitted get no links', async (t) => {
  const { app } = await build(t, {
    after: (app) => {
      app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => false, homeUrl, deskUrl })
    },
  })
  const page = await screenClient(app).get('status')
  t.same([page.status, page.texts('nav')], [403, []])
})
