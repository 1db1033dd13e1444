// Designs that are slow, by their pictures or by what is drawn, do not hold up those of others.
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { httpServer } from '../../support/peers/servers.ts'
import { pictureElement, textElement, viewWith } from '../../support/render/render-shop.ts'
import { shopRenderer } from '../../support/render/shop-renderer.ts'

const honest = viewWith(textElement('Ada'))
const slow = viewWith(
  ...Array.from({ length: 60 }, (_, index) =>
    textElement(`Blurred ${index}`, { shadowColor: '#000', shadowBlur: 60, fontSize: 300 }),
  ),
)

const slowest = viewWith(
  ...Array.from({ length: 600 }, (_, index) =>
    textElement(`Blurred ${index}`, { shadowColor: '#000', shadowBlur: 60, fontSize: 300 }),
  ),
)

t.test('renderer: pictures that drip take no place, and end after 15 seconds', async (t) => {
  const dripping = new Set<ServerResponse>()
  const server = await httpServer(t, (_request, response) => {
    response.write('\x89PNG\r\n\x1a\n', 'latin1')
    const timer = setInterval(() => response.write('x'), 500)
    dripping.add(response)
    response.on('close', () => {
      clearInterval(timer)
      dripping.delete(response)
    })
  })
  const { print, preview, preflight } = await shopRenderer(t, server.pair)
  const view = (order: number) =>
    viewWith(...Array.from({ length: 16 }, (_, index) => pictureElement(`${server.url}/${order}-${index}`)))
  const attack = [1, 2, 3].flatMap((order) => [
    print(`order ${order}`, view(order)),
    preview(`order ${order}`, view(order)),
  ])
  const outcomes = Promise.allSettled(attack)
  while (dripping.size < 6 * 8) await new Promise((resolve) => setTimeout(resolve, 20))
  const [file, png, checked] = await Promise.all([
    print('order 9', honest),
    preview('order 9', honest),
    preflight('order 9', honest),
  ])
  t.ok(file.path && png.length > 0 && checked.printable)
  t.equal(dripping.size, 6 * 8, 'they still drip')
  for (const outcome of await outcomes)
    t.match(outcome, { status: 'rejected', reason: { message: /took longer than 15 seconds to fetch/ } })
  // Connections close a moment after their requests.
  while (dripping.size > 0) await new Promise((resolve) => setTimeout(resolve, 20))
})

t.test('renderer: a preview waits for one slow preview of another order, not for all of them', async (t) => {
  const { preview } = await shopRenderer(t, 'none.example:443')
  const ended: string[] = []
  const noted = async (client: string, view: object) => {
    await preview(client, view, 1200)
    ended.push(client)
  }
  const attack = [1, 2, 3, 4].map(() => noted('order 1', slow))
  await new Promise((resolve) => setTimeout(resolve, 300))
  await noted('order 2', honest)
  await Promise.all(attack)
  t.ok(ended.indexOf('order 2') <= 1, ended.join())
})

t.test('renderer: a preview waits for no slow previews of other orders, however many they are', async (t) => {
  const { preview } = await shopRenderer(t, 'none.example:443')
  const ended: string[] = []
  const noted = async (client: string, view: object) => {
    await preview(client, view, 1200).catch(() => {})
    ended.push(client)
  }
  for (let order = 0; order < 10; order++) void noted(`slow ${order}`, slowest)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await noted('honest', honest)
  t.equal(ended[0], 'honest')
})
