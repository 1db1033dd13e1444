// Fills an empty catalog with a small shop through the API. The pictures are files in the uploads folder.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  type DemoProduct,
  demoCategories,
  demoElements,
  demoFonts,
  demoProducts,
  fileName,
  viewOptions,
} from './demo-catalog.ts'
import { demoLibrary, designsOf } from './demo-library.ts'
import { orderedViews, shortcodeOrders } from './demo-orders.ts'
import { graphics, productPicture, uploadPicture } from './demo-pictures.ts'
import { addShop } from './demo-shop.ts'

interface DemoSettings {
  /** Path of the API in this app. */
  api: string
  token: string
  /** Its requests carry this id, so that the host need not log them. */
  requestId?: string
  uploads: { dir: string; url: string }
  /** Where orders of a shop and of forms go as well; undefined in the database of a CMS, where plugins have tables of their own. */
  shop?: { database: string; tablePrefix: string } | undefined
}

type Caller = ReturnType<typeof callerOf>

/** Requests of the host to itself, with its token. */
const sent =
  (app: FastifyInstance, { api, token, requestId }: Omit<DemoSettings, 'uploads'>) =>
  (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    payload?: object | Buffer,
    headers: Record<string, string> = {},
  ) =>
    app.inject({
      method,
      url: api + path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(requestId && { 'x-request-id': requestId }),
        ...headers,
      },
      ...(payload ? { payload } : {}),
    })

/** An API without an uploads folder takes no fonts, and prints nothing. */
function callerOf(app: FastifyInstance, settings: Omit<DemoSettings, 'uploads'>) {
  const send = sent(app, settings)
  return async (
    ...request: Parameters<typeof send>
  ): Promise<{ status: number; data: { id: number }; total: number }> => {
    const response = await send(...request)
    const { data, meta, message, code } = response.json()
    const isFine = response.statusCode < 500 || /_not_configured$/.test(code)
    if (!isFine) throw new Error(`The demo content could not be added: ${message}`)
    return { status: response.statusCode, data, total: meta?.total }
  }
}

/**
 * Writes the pictures, and the shop if there are no products and categories yet.
 * @returns what can be done later, while the shop is served: draws its pictures and prints some of its orders; undefined if
 * there is nothing to do
 */
export async function addDemo(
  app: FastifyInstance,
  settings: DemoSettings,
): Promise<(() => Promise<void>) | undefined> {
  const call = callerOf(app, settings)
  const { uploads, shop } = settings
  await writePictures(join(uploads.dir, demoFolder))
  // Anything but 0 stops here: a count, or no count because the group is disabled.
  if ((await call('GET', '/products?type=all&limit=1')).total !== 0) return undefined
  if ((await call('GET', '/categories')).total !== 0) return undefined

  const address = `${uploads.url}/${demoFolder}`
  const categories = new Map<string, number>()
  for (const title of demoCategories) {
    const { status, data } = await call('POST', '/categories', { title })
    // Another process that starts on the same database was faster and fills the shop.
    if (status === 409) return undefined
    categories.set(title, data.id)
  }
  for (const [name, file] of Object.entries(demoFonts)) {
    const bytes = await readFile(new URL(`./fonts/${file}`, import.meta.url))
    await call('POST', '/fonts', ...formOf({ name }, bytes, 'demo.ttf', 'font/ttf'))
  }
  const products = await addProducts(call, categories, address)
  await addLibrary(call, address)
  const ids: number[] = []
  for (const order of shortcodeOrders) {
    const views = orderedViews(order, address)
    const body = { customer_name: order.name, customer_mail: order.mail, views }
    ids.push((await call('POST', '/shortcode-orders', body)).data.id)
  }
  const sold = shop && (await addShop({ ...shop, address }))
  return async () => {
    const last = `/orders/${ids.at(-1)}`
    const views = [0, 1].map(
      (view) => [`order-${view}`, `${last}/preview?type=shortcode&view=${view}`] as const,
    )
    await drawPictures(app, settings, [...views, ...products])
    const drawing = Buffer.from(graphics.heart)
    await call('POST', '/assets', ...formOf({}, drawing, 'heart.svg', 'image/svg+xml'))
    if (sold) await call('POST', `/orders/${sold.order}/export`, { type: 'wc', item_id: sold.item })
    await call('POST', `${last}/export`, { type: 'shortcode' })
    await call('POST', `/orders/${ids[0]}/export`, { type: 'shortcode' })
  }
}

/** @returns names of pictures, and where they are drawn */
async function addProducts(
  call: Caller,
  categories: Map<string, number>,
  address: string,
): Promise<[name: string, path: string][]> {
  const pictures: [string, string][] = []
  for (const product of demoProducts) {
    const { data } = await call('POST', '/products', productBody(product, categories, address))
    for (const [side, content] of Object.entries(product.sides))
      await call('POST', `/products/${data.id}/views`, {
        title: side,
        thumbnail: `${address}/${fileName(product, side)}`,
        elements: demoElements(product, side, content, { address }),
        options: viewOptions(product.outline),
      })
    const [first = ''] = Object.keys(product.sides)
    pictures.push([fileName(product, first).replace(/\.svg$/, ''), `/products/${data.id}/preview`])
  }
  return pictures
}

/** Where the renderer is off, and where a design cannot be drawn, there is no picture. */
async function drawPictures(
  app: FastifyInstance,
  settings: DemoSettings,
  pictures: (readonly [name: string, path: string])[],
): Promise<void> {
  const dir = join(settings.uploads.dir, demoFolder)
  for (const [name, path] of pictures) {
    const { statusCode, rawPayload } = await sent(app, settings)('GET', path)
    if (statusCode === 200) await putFile(dir, `${name}.png`, rawPayload)
  }
}

async function addLibrary(call: Caller, address: string): Promise<void> {
  const ids = new Map<string, number>()
  for (const { title, parent, designs } of demoLibrary.designCategories) {
    const { data } = await call('POST', '/design-categories', {
      title,
      thumbnail: `${address}/${designs[0]}.svg`,
      designs: designsOf(designs, address),
      ...(parent !== undefined && { parent_id: ids.get(parent) }),
    })
    ids.set(title, data?.id)
  }
  for (const [method, path, body] of demoLibrary.requests) await call(method, path, body)
}

/** The body and headers of an upload form. */
function formOf(
  fields: Record<string, string>,
  bytes: Buffer,
  filename: string,
  type: string,
): [body: Buffer, headers: Record<string, string>] {
  const boundary = 'demo-upload'
  const part = (head: string, content: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const body = Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    part(`name="file"; filename="${filename}"\r\nContent-Type: ${type}`, bytes),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return [body, { 'content-type': `multipart/form-data; boundary=${boundary}` }]
}

/** Reads from the API; `data` is undefined where the response is no JSON. */
export const reader =
  (app: FastifyInstance, settings: Omit<DemoSettings, 'uploads'>) => async (path: string) => {
    const { statusCode, headers, payload } = await sent(app, settings)('GET', path)
    const isJson = /^application\/json/.test(String(headers['content-type']))
    return { status: statusCode, data: isJson ? (JSON.parse(payload).data as unknown) : undefined }
  }

/** The newest order that can be exported; undefined if there is none. */
export async function printableOrder(
  app: FastifyInstance,
  settings: Omit<DemoSettings, 'uploads'>,
): Promise<number | undefined> {
  const { status, data } = await reader(app, settings)('/shortcode-orders?limit=1')
  return status === 200 ? (data as { id: number }[])[0]?.id : undefined
}

/** Folder of the pictures, below the uploads folder. */
export const demoFolder = 'svc/demo'

function productBody(product: DemoProduct, categories: Map<string, number>, address: string): object {
  const { title, type = 'catalog', category, price, sides } = product
  const categoryId = categories.get(category ?? '')
  return {
    title,
    type,
    thumbnail: `${address}/${fileName(product, Object.keys(sides)[0] ?? '')}`,
    options: { basePrice: price, currency: 'EUR', stageWidth: 400, stageHeight: 400, layout: 'sidebar' },
    ...(categoryId === undefined ? {} : { categories: [categoryId] }),
  }
}

async function writePictures(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true })
  const products = demoProducts.flatMap((product) =>
    Object.keys(product.sides).map((side): [string, string] => [
      fileName(product, side),
      productPicture(product.outline, product.color, side),
    ]),
  )
  const designs = Object.entries(graphics).map(([name, text]): [string, string] => [`${name}.svg`, text])
  const pictures = new Map([['upload.svg', uploadPicture], ...designs, ...products])
  await Promise.all([...pictures].map(([name, picture]) => putFile(dir, name, picture)))
}

/** Another host on this folder may be serving the previous version. */
async function putFile(dir: string, name: string, content: string | Uint8Array): Promise<void> {
  const part = join(dir, `.${name}.${process.pid}`)
  await writeFile(part, content)
  await rename(part, join(dir, name))
}
