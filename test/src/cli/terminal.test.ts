// Rows that hold sequences for terminals: no command prints one, as text or as JSON.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { plainLine, plainText } from '../../../src/cli/terminal.ts'
import { build } from '../../support/hosts/build.ts'
import { commandIn } from '../../support/hosts/command.ts'
import { shortcodeOrder } from '../../support/hosts/desk.ts'
import { webhookSecret } from '../../support/hosts/webhooks.ts'
import { fillUploads, textElement, viewWith } from '../../support/render/render-shop.ts'

/** ESC, BEL, a line break, CSI of one byte, a mark that turns the direction, DEL. */
const evil = '\u001b]0;x\u0007\nfake ok\u009b2J\u202egnp\u007f\u2066'
const acts = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const mail = 'ada@shop.example'

t.test('plainLine and plainText: what terminals act upon is written as escapes', (t) => {
  t.equal(plainLine(evil), '\\u001b]0;x\\u0007\\u000afake ok\\u009b2J\\u202egnp\\u007f\\u2066')
  t.equal(plainText(`ä 😀\n${evil.replace('\n', '')}`).split('\n').length, 2)
  t.notMatch(plainText(evil), acts)
  t.end()
})

t.test('no command prints characters of rows that a terminal acts upon', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-terminal-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await fillUploads(dir)
  const host = await build(t, {
    audit: true,
    webhooks: [{ url: 'https://127.0.0.1:9/', secret: webhookSecret }],
  })
  const { db, t: names } = host
  const { id } = (await host.call('POST', '/products', { title: 'Shirt' })).body.data
  const element = { ...textElement(evil, { fontFamily: evil }), title: evil }
  const { elements, options } = viewWith(element)
  await host.call('POST', `/products/${id}/views`, { title: evil, elements, options })
  await host.call('POST', '/pricing-rules', { name: 'Rule', data: {} })
  const views = await db.selectFrom(names.views).select('ID').execute()
  await db.updateTable(names.views).set({ title: evil }).execute()
  await db.updateTable(names.pricing_rules).set({ data: '{' }).execute()
  const order = await shortcodeOrder(host, { customer_name: evil, customer_mail: mail, views: [] })
  await db.updateTable(names.orders).set({ views: '{' }).where('ID', '=', order).execute()
  const asset = {
    key: `2026/11/${evil}.png`,
    url: evil,
    title: evil,
    mime_type: 'image/png',
    storage: 'local',
  }
  await db
    .insertInto(names.assets)
    .values({ ...asset, size: 1 } as never)
    .execute()
  await db
    .updateTable(names.api_audit)
    .set({ operation: evil, principal_name: evil, request_id: evil })
    .execute()
  await db.updateTable(names.api_outbox).set({ type: evil, origin: evil, error: evil }).execute()
  t.ok(views.length > 0)
  const run = commandIn(t)
  const variables = { DATABASE_URL: host.address, UPLOADS_DIR: dir }
  for (const args of [
    ['check', '--files'],
    ['audit'],
    ['tokens', 'list'],
    ['webhooks', 'list'],
    ['preflight', '--products'],
    ['fonts', 'list'],
    ['fonts', 'add', evil],
    ['impose', String(order), '--type', 'shortcode', '--out', 'sheets.pdf'],
    ['erase-customer', '--mail', mail, '--dry-run'],
    ['migrate', '--dry-run'],
    [evil],
  ]) {
    for (const more of [[], ['--json']]) {
      const { stdout, stderr } = await run([...args, ...more], variables)
      t.ok(stdout + stderr, args.join(' '))
      t.notMatch(stdout + stderr, acts, `${args.join(' ')} ${more}`)
      if (more.length === 0) t.notMatch(stdout + stderr, /^fake ok/m, args.join(' '))
      else if (stdout.trim()) t.doesNotThrow(() => JSON.parse(stdout), args.join(' '))
    }
  }
})
