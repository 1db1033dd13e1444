// Events of writes that run at the same time, or change much at once: each is reported.
import t from 'tap'
import type { Change } from '../../../plugins/index.ts'
import { font } from '../../support/fixtures/make-font.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { storedOption } from '../../support/hosts/options.ts'

t.test('uploads into one font family at the same time report each', (t) =>
  onEachEngine(t, async (t, engine) => {
    const seen: Change[] = []
    const uploads = { dir: t.testdir({}), url: 'https://shop.example/uploads' }
    const host = await build(t, { engine, uploads, onChange: (change) => seen.push(change) })
    await upload(host, '/fonts', 'Ours.ttf', font())
    seen.length = 0
    const files = ['Ours__bold.ttf', 'Ours__italic.ttf', 'Ours__bolditalic.ttf', 'Ours.ttf']
    const responses = await Promise.all(files.map((file) => upload(host, '/fonts', file, font())))
    t.same(
      responses.map(({ status }) => status),
      files.map(() => 201),
    )
    t.same(
      seen.map(({ request_id }) => request_id).sort(),
      responses.map(({ headers }) => headers['x-request-id']).sort(),
    )
    t.match(
      seen,
      files.map(() => ({ resource: 'font', action: 'updated', id: 'Ours' })),
    )
    t.equal(await storedOption(host, 'svc_fonts_unfinished'), '{}')
  }),
)

t.test('a write of many settings fits into the statements of audit trail and outbox', (t) =>
  onEachEngine(t, async (t, engine) => {
    const place = { tab: 'shop', section: 'print', sectionLabel: 'Print' }
    const settings = Array.from({ length: 900 }, (_, i) => ({
      ...place,
      id: `svc_shop_${i}`,
      type: 'text' as const,
      label: 'Text',
      description: 'A text.',
      default: '',
    }))
    // Nothing is delivered, because the addresses are private.
    const webhooks = Array.from({ length: 14 }, (_, i) => ({
      url: `https://127.0.0.1:9/${i}`,
      secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    }))
    const host = await build(t, { engine, settings, audit: true, webhooks })
    const { status } = await host.call(
      'PATCH',
      '/settings',
      Object.fromEntries(settings.map(({ id }) => [id, 'x'])),
    )
    t.equal(status, 200)
    for (const [table, count] of [
      ['api_audit', 900],
      ['api_outbox', 900 * 14],
    ] as const) {
      const row = await host.db
        .selectFrom(host.t[table] as 'api_audit')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirst()
      t.equal(Number(row?.count), count)
    }
  }),
)
