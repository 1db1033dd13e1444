// What the renderer's process may take, what it may fetch, and what it warns of.
import sharp from 'sharp'
import t from 'tap'
import { httpServer } from '../../support/peers/servers.ts'
import {
  photoUrl,
  pictureElement,
  renderShop,
  textElement,
  viewWith,
} from '../../support/render/render-shop.ts'

const design = { product: [viewWith(pictureElement(photoUrl), textElement('Ada Lovelace'))] }

t.test('a design that takes too long, or breaks the process, fails the job with the reason', async (t) => {
  const many = Array.from({ length: 500 }, (_, i) =>
    textElement(`Blurred ${i}`, { shadowColor: '#000', shadowBlur: 60, fontSize: 300 }),
  )
  const slow = await renderShop(t, 'SQLite', [viewWith(...many)], { renderer: { seconds: 0.5 } })
  const { body } = await slow.order({ output_format: 'png', dpi: 300 })
  t.match(body.data, { status: 'failed', file_url: null })
  const job = (await slow.host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
  t.match(job.error, {
    code: 'svc_render_failed',
    message: 'The design took longer than 0.5 seconds to draw.',
  })
  t.same(await slow.temporary(), [])
  const small = await renderShop(t, 'SQLite', design, { renderer: { megabytes: 40 } })
  const broken = (await small.order()).body.data
  t.equal(broken.status, 'failed')
})

t.test('previews that fill their queue do not keep prints waiting', async (t) => {
  const { order, host } = await renderShop(t, 'SQLite', design, { renderer: { seconds: 12, waiting: 1 } })
  const slow = Array.from({ length: 500 }, (_, i) =>
    textElement(`Blurred ${i}`, { shadowColor: '#000', shadowBlur: 60, fontSize: 300 }),
  )
  const { data } = (await host.call('POST', '/products', { title: 'Mug' })).body
  await host.call('POST', `/products/${data.id}/views`, viewWith(...slow))
  const previews = Array.from({ length: 8 }, (_, i) =>
    host.call('GET', `/products/${data.id}/preview?width=${2000 - i}`),
  )
  // So many find no room.
  const refused = await Promise.race([
    Promise.all(previews).then(() => undefined),
    new Promise<number>((found) => {
      let count = 0
      for (const preview of previews)
        preview.then(({ status }) => status === 503 && ++count === 4 && found(count))
    }),
  ])
  t.equal(refused, 4)
  t.match(await order(), { status: 201, body: { data: { status: 'completed' } } })
  // It aborts the rest.
  await host.app.close()
  t.ok((await Promise.all(previews)).every(({ status }) => status >= 500))
})

t.test('a summary, the fonts and warnings come in a ZIP, and the warnings stand in the job', async (t) => {
  const coarse = pictureElement(photoUrl, { scaleX: 2, scaleY: 2 })
  const outside = textElement('Far away', { left: 4000 })
  const { order, host, only } = await renderShop(t, 'SQLite', [viewWith(coarse, outside)])
  await host.db
    .insertInto(host.t.print_profiles)
    .values({
      name: 'Master',
      is_master: 1,
      data: JSON.stringify({ customImageParameters: { minDPI: 150 } }),
    })
    .execute()
  const { body } = await order({ summary_json: true, include_font_files: true })
  t.match(body.data.file, /\/\d+-\d+\.zip$/)
  const text = (await only()).toString('latin1')
  for (const name of ['.pdf', 'fonts/1-Liberation-Sans.ttf', 'summary.json']) t.ok(text.includes(name), name)
  const { warnings } = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
  t.same(warnings, [
    'View "Front", element "Photo": The picture is printed at 50 dpi; the print profile asks for 150.',
    'View "Front", element "Far away": The element lies outside of the printed box.',
  ])
})

t.test('pictures of private servers, and of none, are refused', async (t) => {
  for (const url of [
    'http://127.0.0.1/a.png',
    'http://169.254.169.254/latest',
    'https://[::1]/a.png',
    'file:///etc/passwd',
    'http://',
  ]) {
    const { order } = await renderShop(t, 'SQLite', [viewWith(pictureElement(url))])
    t.match(
      await order(),
      { status: 422, body: { code: 'svc_render_refused', message: /^View "Front", element "Photo": / } },
      url,
    )
  }
})

t.test('a picture of another host is fetched, and its temporary file is gone afterwards', async (t) => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 4, background: '#f00' } })
    .png()
    .toBuffer()
  const server = await httpServer(t, (_request, response) => response.end(bytes))
  const design = [viewWith(pictureElement(`${server.url}/logo.png`))]
  const { order, temporary } = await renderShop(t, 'SQLite', design, { printReady: { allow: [server.pair] } })
  t.match(await order(), { status: 201, body: { data: { status: 'completed' } } })
  t.same(await temporary(), [])
})
