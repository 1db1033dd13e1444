// A host goes on after its API was closed: nothing of it stays behind.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { png } from './support/fixtures/make-png.ts'
import { build, token } from './support/hosts/build.ts'
import { filePart, form, formHeaders } from './support/hosts/form.ts'
import { renderShop, textElement, viewWith } from './support/render/render-shop.ts'

/** Processes that this one has started and that run. */
const children = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)

async function childrenLater(): Promise<string[]> {
  // Much less than an idle one waits for work.
  for (let waits = 0; waits < 50 && children().length > 0; waits++) await delay(100)
  return children()
}

t.test('the processes that check uploads end with the app', async (t) => {
  const dir = t.testdir({})
  const { app } = await build(t, { uploads: { dir, url: 'https://shop.example/uploads' } })
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/wp-json/svc/v1/assets',
    headers: { authorization: `Bearer ${token}`, ...formHeaders() },
    payload: form([filePart('a.png', png())]),
  })
  t.equal(statusCode, 201)
  t.not(children().length, 0)
  await app.close()
  t.strictSame(await childrenLater(), [])
})

t.test('the processes that draw end with the app', async (t) => {
  const { host, id, item } = await renderShop(t, 'SQLite', [viewWith(textElement('Ada'))])
  t.equal((await host.call('GET', `/orders/${id}/preview?item_id=${item}`)).status, 200)
  t.not(children().length, 0)
  await host.app.close()
  t.strictSame(await childrenLater(), [])
})
