// Plain Fastify with mysql2: what a developer writes in an afternoon. Objects in and out, no validation.
import { timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import { createPool, type RowDataPacket } from 'mysql2/promise'

const pool = createPool({ uri: process.env.BENCH_DATABASE ?? '', charset: 'utf8mb4' })
const app = Fastify({ logger: false })

async function rowsOf(text: string, values: unknown[] = []): Promise<RowDataPacket[]> {
  const [rows] = await pool.query<RowDataPacket[]>(text, values)
  return rows
}

let token = { value: Buffer.alloc(0), since: Number.NEGATIVE_INFINITY }

app.addHook('onRequest', async (request, reply) => {
  if (performance.now() - token.since > 1000) {
    const since = performance.now()
    const [row] = await rowsOf('select option_value from wp_options where option_name = ?', ['svc_api_token'])
    token = { value: Buffer.from(String(row?.option_value)), since }
  }
  const given = Buffer.from((request.headers.authorization ?? '').replace('Bearer ', ''))
  if (given.length === token.value.length && timingSafeEqual(given, token.value)) return
  return reply
    .code(403)
    .send({ success: false, code: 'svc_forbidden', message: 'The API token is not the right one.' })
})

interface ListQuery {
  page?: string
  search?: string
  category_id?: string
}

app.get<{ Querystring: ListQuery }>('/wp-json/svc/v1/products', async ({ query }) => {
  const { page = '1', search, category_id } = query
  const conditions = [
    ...(search ? ['title like ?'] : []),
    ...(category_id
      ? ['ID in (select product_id from wp_svc_category_products_rel where category_id = ?)']
      : []),
  ]
  const values = [...(search ? [`%${search}%`] : []), ...(category_id ? [Number(category_id)] : [])]
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const from = `from wp_svc_products ${where}`
  const offset = (Number(page) - 1) * 20
  const rows = await rowsOf(`select * ${from} order by ID desc limit 20 offset ${offset}`, values)
  const [count] = await rowsOf(`select count(*) as total ${from}`, values)
  const ids = rows.map((row) => row.ID)
  const pairs =
    ids.length > 0
      ? await rowsOf('select * from wp_svc_category_products_rel where product_id in (?)', [ids])
      : []
  const categories = Map.groupBy(pairs, (pair) => pair.product_id)
  const data = rows.map(({ ID: id, options, ...row }) => ({
    id,
    ...row,
    options: JSON.parse(options),
    categories: (categories.get(id) ?? []).map((pair) => pair.category_id),
  }))
  return { success: true, data, meta: { total: count?.total } }
})

async function view(id: string) {
  const [row] = await rowsOf('select * from wp_svc_views where ID = ?', [id])
  if (!row) return { success: false }
  const { ID, elements, options, view_order: order, ...others } = row
  return {
    success: true,
    data: { id: ID, ...others, elements: JSON.parse(elements), options: JSON.parse(options), order },
  }
}

app.get<{ Params: { id: string } }>('/wp-json/svc/v1/views/:id', ({ params }) => view(params.id))

app.patch<{ Params: { id: string }; Body: { title: string } }>(
  '/wp-json/svc/v1/views/:id',
  async ({ params, body }) => {
    await pool.query('update wp_svc_views set title = ? where ID = ?', [body.title, params.id])
    return { success: true, data: { id: Number(params.id) } }
  },
)

app.get<{ Querystring: { 'keys[]': string[] } }>('/wp-json/svc/v1/settings/values', async ({ query }) => {
  const keys = query['keys[]']
  const rows = await rowsOf('select option_name, option_value from wp_options where option_name in (?)', [
    keys,
  ])
  const stored = new Map(rows.map((row) => [row.option_name, row.option_value]))
  return { success: true, data: Object.fromEntries(keys.map((key) => [key, stored.get(key) ?? ''])) }
})

app.get<{ Querystring: { status: string } }>('/wp-json/svc/v1/print-jobs', async ({ query }) => {
  const from = 'from wp_svc_print_jobs where status = ?'
  const rows = await rowsOf(`select * ${from} order by ID desc limit 20`, [query.status])
  const [count] = await rowsOf(`select count(*) as total ${from}`, [query.status])
  const data = rows.map((row) => ({ ...row, details: JSON.parse(row.details) }))
  return { success: true, data, meta: { limit: 20, offset: 0, total: count?.total } }
})

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit())
process.send?.({ port: Number(new URL(address).port) })
