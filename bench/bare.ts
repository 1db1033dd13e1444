// The baseline: node:http and mysql2's prepared statements doing the same work, without a framework and validation.
import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createPool, type RowDataPacket } from 'mysql2/promise'

const pool = createPool({ uri: process.env.BENCH_DATABASE ?? '', charset: 'utf8mb4' })

let token = { value: Buffer.alloc(0), since: Number.NEGATIVE_INFINITY }

async function isAllowed(request: IncomingMessage): Promise<boolean> {
  if (performance.now() - token.since > 1000) {
    const since = performance.now()
    const [rows] = await pool.execute<RowDataPacket[]>(
      'select option_value from wp_options where option_name = ?',
      ['svc_api_token'],
    )
    token = { value: Buffer.from(String(rows[0]?.option_value)), since }
  }
  const given = Buffer.from((request.headers.authorization ?? '').replace('Bearer ', ''))
  return given.length === token.value.length && timingSafeEqual(given, token.value)
}

const q = JSON.stringify
const product = (row: RowDataPacket, categories: number[]) =>
  `{"id":${row.ID},"title":${q(row.title)},"type":${q(row.type)},"thumbnail":${q(row.thumbnail)},"options":${row.options},"user_id":${row.user_id},"categories":[${categories}]}`
const view = (row: RowDataPacket) =>
  `{"id":${row.ID},"product_id":${row.product_id},"title":${q(row.title)},"thumbnail":${q(row.thumbnail)},"elements":${row.elements},"options":${row.options},"order":${row.view_order}}`

async function list(query: URLSearchParams): Promise<string> {
  const page = Number(query.get('page') ?? 1)
  const search = query.get('search')
  const category = query.get('category_id')
  const where = [
    ...(search ? ['p.title like ?'] : []),
    ...(category
      ? ['p.ID in (select product_id from wp_svc_category_products_rel where category_id = ?)']
      : []),
  ]
  const values = [...(search ? [`%${search}%`] : []), ...(category ? [category] : [])]
  const condition = where.length > 0 ? `where ${where.join(' and ')}` : ''
  const [rows] = await pool.execute<RowDataPacket[]>(
    `select * from wp_svc_products p ${condition} order by p.ID desc limit 20 offset ${(page - 1) * 20}`,
    values,
  )
  const [[count]] = await pool.execute<RowDataPacket[]>(
    `select count(*) as total from wp_svc_products p ${condition}`,
    values,
  )
  const ids = rows.map((row) => row.ID)
  const byProduct = new Map<number, number[]>()
  if (ids.length > 0) {
    const [relations] = await pool.execute<RowDataPacket[]>(
      `select product_id, category_id from wp_svc_category_products_rel where product_id in (${ids.map(() => '?')})`,
      ids,
    )
    for (const row of relations)
      byProduct.set(row.product_id, [...(byProduct.get(row.product_id) ?? []), row.category_id])
  }
  return `{"success":true,"data":[${rows.map((row) => product(row, byProduct.get(row.ID) ?? []))}],"meta":{"total":${count?.total}}}`
}

async function oneView(id: string): Promise<string> {
  const [rows] = await pool.execute<RowDataPacket[]>('select * from wp_svc_views where ID = ?', [id])
  return `{"success":true,"data":${view(rows[0] as RowDataPacket)}}`
}

async function settings(keys: string[]): Promise<string> {
  const [rows] = await pool.execute<RowDataPacket[]>(
    `select option_name, option_value from wp_options where option_name in (${keys.map(() => '?')})`,
    keys,
  )
  const stored = new Map(rows.map((row) => [row.option_name, row.option_value]))
  return `{"success":true,"data":{${keys.map((key) => `${q(key)}:${q(stored.get(key) ?? '')}`)}}}`
}

const job = (row: RowDataPacket) =>
  `{"id":${row.ID},"guid":${q(row.guid)},"status":${q(row.status)},"details":${row.details},"error":null,"file_url":null,"created_at":${q(row.created_at)}}`

async function printJobs(status: string | null): Promise<string> {
  const [rows] = await pool.execute<RowDataPacket[]>(
    'select * from wp_svc_print_jobs where status = ? order by ID desc limit 20',
    [status],
  )
  const [[count]] = await pool.execute<RowDataPacket[]>(
    'select count(*) as total from wp_svc_print_jobs where status = ?',
    [status],
  )
  return `{"success":true,"data":[${rows.map(job)}],"meta":{"limit":20,"offset":0,"total":${count?.total}}}`
}

async function body(request: IncomingMessage): Promise<{ title: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

async function bodyFor(request: IncomingMessage): Promise<string> {
  const url = new URL(request.url ?? '', 'http://bench')
  const id = url.pathname.split('/').at(-1) ?? ''
  if (url.pathname.endsWith('/products')) return list(url.searchParams)
  if (url.pathname.endsWith('/values')) return settings(url.searchParams.getAll('keys[]'))
  if (url.pathname.endsWith('/print-jobs')) return printJobs(url.searchParams.get('status'))
  if (request.method === 'PATCH') {
    await pool.execute('update wp_svc_views set title = ? where ID = ?', [(await body(request)).title, id])
  }
  return oneView(id)
}

createServer((request, response) => {
  // The load generator disconnects in the middle of a request when its time is up.
  respond(request, response).catch(() => response.destroy())
}).listen(0, '127.0.0.1', function (this: import('node:net').Server) {
  process.send?.({ port: (this.address() as import('node:net').AddressInfo).port })
})

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  if (!(await isAllowed(request))) {
    response
      .writeHead(403)
      .end(
        '{"success":false,"code":"svc_forbidden","message":"The API token is not the right one.","data":{"status":403}}',
      )
    return
  }
  response.end(await bodyFor(request))
}
