// What pages of other sites may not start in the browser of a user of the desk, although it changes nothing.
import t from 'tap'
import { deskShop } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

t.test(
  'GET /desk/events, /preview, /check and /batch that checks: 403 for a page of another site, which takes no place',
  async (t) => {
    const { host, client, id, item } = await deskShop(t, 'SQLite', [viewWith(textElement('Ada'))])
    const drawn = `type=wc&id=${id}&item=${item}`
    const foreign = ['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site }))
    const paths = [
      'events',
      `preview?${drawn}&view=0&width=240`,
      `check?${drawn}`,
      `batch?orders=wc:${id}&check=all`,
    ]
    for (const headers of foreign) {
      for (const path of paths) {
        const { statusCode, body } = await host.app.inject({ url: `/desk/${path}`, headers })
        t.strictSame([statusCode, /another site/.test(body)], [403, true], path)
      }
    }
    for (let count = 0; count < 60; count++)
      await host.app.inject({ url: '/desk/events', headers: { 'sec-fetch-site': 'cross-site' } })
    const own = { url: '/desk/events', headers: { 'sec-fetch-site': 'same-origin' }, payloadAsStream: true }
    const live = await host.app.inject(own)
    t.equal(live.statusCode, 200)
    live.stream().destroy()
    for (const headers of [{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }])
      for (const path of paths.slice(1)) t.equal((await client.get(path, headers)).status, 200, path)
  },
)
