// A host goes on after its API was closed: nothing of it stays behind.
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { png } from '../support/fixtures/make-png.ts'
import { build, token } from '../support/hosts/build.ts'
import { filePart, form, formHeaders } from '../support/hosts/form.ts'
import { renderShop, textElement, viewWith } from '../support/render/render-shop.ts'

const started: ChildProcess[] = []
subscribe('child_process', (message) => void started.push(Reflect.get(Object(message), 'process')))

/** How many of the processes that this one has started still run after a moment; much less than an idle one waits for work. */
async function left(): Promise<number> {
  const running = () => started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  for (let waits = 0; waits < 50 && running().length > 0; waits++) await delay(100)
  return running().length
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
  t.not(started.length, 0)
  await app.close()
  t.equal(await left(), 0)
})

t.test('the processes that draw end with the app', async (t) => {
  started.length = 0
  const { host, id, item } = await renderShop(t, 'SQLite', [viewWith(textElement('Ada'))])
  t.equal((await host.call('GET', `/orders/${id}/preview?item_id=${item}`)).status, 200)
  t.not(started.length, 0)
  await host.app.close()
  t.equal(await left(), 0)
})
