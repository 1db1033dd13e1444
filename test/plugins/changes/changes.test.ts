// What each write reports: to the listener of the host, to the audit trail and to the outbox.
import t from 'tap'
import { auditEntries, type Change } from '../../../plugins/index.ts'
import { changedResources } from '../../../src/core/change.ts'
import { font } from '../../support/fixtures/make-font.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { onEachEngine, operationOf, type TestResponse } from '../../support/hosts/build.ts'
import { addForm, formEntry, jobRow } from '../../support/hosts/desk.ts'
import { upload } from '../../support/hosts/form.ts'
import { reportingShop } from '../../support/hosts/reporting-shop.ts'

type Reported = [resource: string, action: string, id: unknown]

t.test('every write operation reports its changes once to onChange, the audit trail and the outbox', (t) =>
  onEachEngine(t, async (t, engine) => {
    const shop = await reportingShop(t, engine)
    const { host, seen, id: orderId, item } = shop
    const { call } = host
    const done = new Set<string>()
    const all: Change[] = []

    /** Runs an operation, which must succeed and report exactly this. */
    async function reports(
      operation: string,
      run: () => Promise<TestResponse>,
      ...expected: Reported[]
    ): Promise<TestResponse['body']['data']> {
      seen.length = 0
      const { status, body, headers } = await run()
      t.ok(status < 300, `${operation} responds ${status}`)
      const isOpen = operation.endsWith('print_file')
      t.same(
        seen.map(({ resource, action, id }) => [resource, action, id]),
        expected,
        `${operation} reports`,
      )
      for (const change of seen) {
        t.match(change, {
          operation,
          principal: isOpen ? null : { kind: 'token' },
          request_id: headers['x-request-id'],
        })
        if (headers.etag !== undefined && change.after_etag !== null)
          t.equal(
            change.after_etag,
            headers.etag.replace(/\.[^"]*/, ''),
            `${operation} reports the tag of its response`,
          )
      }
      done.add(operation)
      all.push(...seen)
      return body?.data
    }
    const create = async (operation: string, path: string, body: object, resource: string) => {
      const data = await reports(operation, () => call('POST', path, body), [
        resource,
        'created',
        await nextOf(resource),
      ])
      return data
    }
    const tables = {
      product: 'products',
      view: 'views',
      category: 'categories',
      design_category: 'designs',
      pricing_rule: 'pricing_rules',
      print_profile: 'print_profiles',
      user_interface: 'user_interfaces',
      shortcode_order: 'orders',
      print_job: 'print_jobs',
    } as const
    /** The id of the row that the next write creates. */
    async function nextOf(resource: string): Promise<number> {
      const table = host.t[tables[resource as keyof typeof tables]] as 'products'
      const row = await host.db
        .selectFrom(table)
        .select(({ fn }) => fn.max('ID').as('last'))
        .executeTakeFirst()
      return Number(row?.last ?? 0) + 1
    }

    const product = (await create('create_product', '/products', { title: 'Shirt' }, 'product')).id
    await reports('update_product', () => call('PATCH', `/products/${product}`, { title: 'Mug' }), [
      'product',
      'updated',
      product,
    ])
    const view = (await create('add_product_view', `/products/${product}/views`, { title: 'Front' }, 'view'))
      .id
    await reports('update_view', () => call('PATCH', `/views/${view}`, { title: 'Back' }), [
      'view',
      'updated',
      view,
    ])
    await create('duplicate_view', `/views/${view}/duplicate`, {}, 'view')
    await reports('delete_view', () => call('DELETE', `/views/${view}`), ['view', 'deleted', view])
    const category = (await create('create_category', '/categories', { title: 'All' }, 'category')).id
    const path = `/categories/${category}`
    await reports('update_category', () => call('PATCH', path, { products: [product] }), [
      'category',
      'updated',
      category,
    ])
    await reports('clear_category', () => call('POST', `${path}/clear`), ['category', 'updated', category])
    await reports('delete_category', () => call('DELETE', path), ['category', 'deleted', category])
    await reports('delete_product', () => call('DELETE', `/products/${product}`), [
      'product',
      'deleted',
      product,
    ])

    for (const [name, plural, body] of [
      ['design_category', 'design-categories', { title: 'Logos' }],
      ['pricing_rule', 'pricing-rules', { name: 'Per colour', data: {} }],
      ['print_profile', 'print-profiles', { name: 'A4' }],
      ['user_interface', 'user-interfaces', { name: 'Wide', data: {} }],
      [
        'shortcode_order',
        'shortcode-orders',
        { customer_name: 'Ada', views: [{ title: 'Front', elements: [] }] },
      ],
    ] as const) {
      if (name === 'user_interface') {
        seen.length = 0
        await call('GET', '/user-interfaces')
        t.match(seen, [{ resource: name, action: 'created', id: 1, principal: null }], 'the default layout')
      }
      const { id } = await create(`create_${name}`, `/${plural}`, body, name)
      const change =
        name === 'shortcode_order'
          ? { customer_name: 'Bo' }
          : 'title' in body
            ? { title: 'X' }
            : { name: 'X' }
      await reports(`update_${name}`, () => call('PATCH', `/${plural}/${id}`, change), [name, 'updated', id])
      if (name === 'print_profile') {
        await create('duplicate_print_profile', `/${plural}/${id}/duplicate`, { name: 'Copy' }, name)
        await reports('set_print_profile_master', () => call('POST', `/${plural}/${id}/master`), [
          name,
          'updated',
          id,
        ])
        await call('PATCH', `/${plural}/${id}`, { is_master: false })
      }
      await reports(`delete_${name}`, () => call('DELETE', `/${plural}/${id}`), [name, 'deleted', id])
    }

    const settings = { svc_printful_api_key: 'very secret', svc_hide_dialog_on_add: 'yes' }
    await reports(
      'update_settings',
      () => call('PATCH', '/settings', { svc_printful_api_key: settings.svc_printful_api_key }),
      ['setting', 'updated', 'svc_printful_api_key'],
    )
    const library = { version: 2, colors: [{ id: 'red', hex: '#ff0000', name: 'Red' }], palettes: [] }
    await reports('save_color_library', () => call('PUT', '/color-library', library), [
      'color_library',
      'updated',
      null,
    ])
    const text = '/text-templates'
    await reports('create_text_template', () => call('POST', text, { text: 'Hello' }), [
      'text_template',
      'created',
      0,
    ])
    await reports('update_text_template', () => call('PATCH', `${text}/0`, { text: 'Bye' }), [
      'text_template',
      'updated',
      0,
    ])
    await reports('replace_text_templates', () => call('PUT', text, { templates: [{ text: 'New' }] }), [
      'text_template',
      'updated',
      null,
    ])
    await reports('delete_text_template', () => call('DELETE', `${text}/0`), ['text_template', 'deleted', 0])

    seen.length = 0
    const asset = (await upload(host, '/assets', 'a.png', png({ width: 300, height: 300 }))).body.data
    const key = seen[0]?.id
    t.match(seen, [{ operation: 'upload_asset', resource: 'asset', action: 'created' }])
    t.match(asset.url, String(key))
    done.add('upload_asset')
    all.push(...seen)
    await reports('delete_asset', () => call('DELETE', `/assets/${encodeURIComponent(String(key))}`), [
      'asset',
      'deleted',
      key,
    ])
    const raw = (await upload(host, '/assets', 'b.png', png({ width: 300, height: 300 }))).body.data
    const rawKey = seen.at(-1)?.id
    t.match(raw.url, String(rawKey))
    all.push(...seen.slice(-1))
    await reports('delete_asset', () => call('DELETE', `/assets/${rawKey}`), ['asset', 'deleted', rawKey])
    const family = () => upload(host, '/fonts', 'Ours.ttf', font({}))
    await reports('upload_font', family, ['font', 'created', 'Ours'])
    await reports('upload_font', family, ['font', 'updated', 'Ours'])
    await reports('delete_font', () => call('DELETE', '/fonts/Ours'), ['font', 'deleted', 'Ours'])

    await reports(
      'update_order',
      () => call('PATCH', `/orders/${item}`, { order: { product: [{ title: 'New', elements: [] }] } }),
      ['wc_order', 'updated', orderId],
    )
    const entry = await formEntry(host, await addForm(host), {
      created: '2026-05-01 08:00:00',
      name: 'Ada',
      mail: 'ada@shop.example',
      design: { product: [] },
    })
    await reports(
      'update_order',
      () => call('PATCH', `/orders/${entry}`, { type: 'gf', order: { product: [{ title: 'New' }] } }),
      ['gf_order', 'updated', entry],
    )
    await reports(
      'set_print_state',
      () => call('PATCH', `/orders/${orderId}/print-states`, { item_id: item, state: 'printed' }),
      ['print_state', 'updated', `wc:${orderId}:${item}`],
    )
    const job = await nextOf('print_job')
    const exported = await reports(
      'export_order',
      () => shop.order(),
      ['print_job', 'created', job],
      ['print_job', 'updated', job],
    )
    const guid = exported.print_job_id
    const fileUrl = { file_url: `${host.router.url}/a.pdf` }
    await reports(
      'put_print_file',
      () => host.notify(guid, fileUrl, { method: 'PUT' }),
      ['print_job', 'updated', job],
      ['print_job', 'completed', job],
    )
    await reports('delete_print_job', () => call('DELETE', `/print-jobs/${guid}`), [
      'print_job',
      'deleted',
      job,
    ])
    const failed = await jobRow(host, { type: 'wc', id: orderId, item, status: 'failed' })
    const retried = await nextOf('print_job')
    await reports(
      'retry_print_job',
      () => call('POST', `/print-jobs/${failed.guid}/retry`),
      ['print_job', 'created', retried],
      ['print_job', 'updated', retried],
    )
    for (const [name, method] of [
      ['announce_print_file', 'POST'],
      ['patch_print_file', 'PATCH'],
    ] as const) {
      const fresh = await host.newJob()
      await reports(
        name,
        () => host.notify(fresh.guid, fileUrl, { method }),
        ['print_job', 'updated', fresh.id],
        ['print_job', 'completed', fresh.id],
      )
    }
    const views = [{ title: 'Front', elements: [] }]
    const shortcode = (await call('POST', '/shortcode-orders', { customer_name: 'Cy', views })).body.data.id
    all.push(...seen.slice(-1))
    await reports('delete_order', () => call('DELETE', `/orders/${shortcode}`), [
      'shortcode_order',
      'deleted',
      shortcode,
    ])

    const writes = host.routes.filter(({ method }) => !['GET', 'HEAD'].includes([method].flat()[0] ?? ''))
    t.same(
      [...new Set(writes.map(operationOf))].filter((name) => !done.has(String(name))),
      [],
      'none is left out',
    )
    const elsewhere = ['order', 'named_token']
    t.same(
      changedResources.filter((name) => !all.some(({ resource }) => resource === name)),
      elsewhere,
      'each declared event is noted',
    )

    const stored = await auditEntries({ database: host.address, limit: 1000 })
    const audited = stored
      .reverse()
      .filter(({ request_id }) => all.some((change) => change.request_id === request_id))
    t.same(
      audited.map(({ at: _, ...change }) => change),
      all.map(({ print: _, ...change }) => change),
      'the audit trail has the same',
    )
    const rows = await host.db
      .selectFrom(host.t.api_outbox)
      .select(['payload', 'type'])
      .orderBy('ID')
      .execute()
    const sent = rows.map(({ payload }) => JSON.parse(payload ?? '').data as Change)
    t.same(
      sent.filter(({ request_id }) => all.some((change) => change.request_id === request_id)),
      all,
      'the outbox has the same',
    )
    t.notMatch(JSON.stringify([stored, rows]), /very secret/)
  }),
)
