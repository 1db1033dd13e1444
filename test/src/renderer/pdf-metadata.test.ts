// What a PDF/X file and the files of a task say and show to others.
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JSDOM } from 'jsdom'
import t from 'tap'
import { declarePdfX } from '../../../src/renderer/pdf-x.ts'
import { render } from '../../../src/renderer/render.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { printTask } from '../../support/render/materials.ts'
import { pictureElement, viewWith } from '../../support/render/render-shop.ts'

t.test('declarePdfX: the XMP packet is well-formed for any title', (t) => {
  const written: string[] = []
  const doc = {
    info: {},
    _root: { data: {} },
    ref: () => ({ write() {}, end: (chunk: unknown) => written.push(String(chunk)) }),
  }
  const title = 'A <b> & \u0000\u0007\u009b\ufffe\uffff\ud800 \udc00 ä 😀'
  const intent = { profile: new Uint8Array(), condition: 'FOGRA39' }
  declarePdfX(doc as never, intent, { id: Buffer.from('x'), title, now: new Date(0) })
  const packet = written.at(-1) ?? ''
  const { window } = new JSDOM('')
  const parsed = new window.DOMParser().parseFromString(packet.replace(/<\?xpacket.*?\?>/g, ''), 'text/xml')
  t.match(parsed.documentElement.textContent, /A <b> & .* ä 😀/)
  t.notMatch(packet, /[\ufffe\uffff]/)
  t.end()
})

t.test('render: the file of a task is readable to its user alone', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-modes-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'before'), '', { mode: 0o600 })
  const before = process.umask(0)
  t.teardown(() => void process.umask(before))
  const picture = `data:image/png;base64,${png({ width: 8, height: 8 }).toString('base64')}`
  const design = JSON.stringify([viewWith(pictureElement(picture))])
  const fetch = async () => ({ fonts: [], fallbacks: [] })
  t.match(await render({ ...printTask, design, folder, pictures: new Map() }, fetch), { kind: 'done' })
  for (const name of await readdir(folder))
    t.equal(((await stat(join(folder, name))).mode & 0o777).toString(8), '600', name)
})
