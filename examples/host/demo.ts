// Fills an empty catalog with a small shop through the API. The pictures are files in the uploads folder.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  type DemoProduct,
  demoCategories,
  demoElements,
  demoFont,
  demoProducts,
  viewOptions,
} from './demo-catalog.ts'
import { badgePicture, productPicture, uploadPicture } from './demo-pictures.ts'

interface DemoSettings {
  /** Path of the API in this app. */
  api: string
  token: string
  /** Its requests carry this id, so that the host need not log them. */
  requestId?: string
  uploads: { dir: string; url: string }
}

interface ApiResponse {
  status: number
  data: { id: number }
  total: number
}

/** Writes the pictures, and the shop if there are no products and categories yet. */
export async function addDemo(
  app: FastifyInstance,
  { api, token, requestId, uploads }: DemoSettings,
): Promise<void> {
  async function call(
    method: 'GET' | 'POST',
    path: string,
    payload?: object | Buffer,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const response = await app.inject({
      method,
      url: api + path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(requestId && { 'x-request-id': requestId }),
        ...headers,
      },
      ...(payload ? { payload } : {}),
    })
    const { data, meta, message, code } = response.json()
    // An API without an uploads folder takes no fonts, and prints nothing.
    const isFine = response.statusCode < 500 || code === 'svc_storage_not_configured'
    if (!isFine) throw new Error(`The demo content could not be added: ${message}`)
    return { status: response.statusCode, data, total: meta?.total }
  }

  await writePictures(join(uploads.dir, folder))
  // Anything but 0 stops here: a count, or no count because the group is disabled.
  if ((await call('GET', '/products?type=all&limit=1')).total !== 0) return
  if ((await call('GET', '/categories')).total !== 0) return

  const address = `${uploads.url}/${folder}`
  const categories = new Map<string, number>()
  for (const title of demoCategories) {
    const { status, data } = await call('POST', '/categories', { title })
    // Another process that starts on the same database was faster and fills the shop.
    if (status === 409) return
    categories.set(title, data.id)
  }
  await call('POST', '/fonts', ...fontForm(await readFile(fontFile)))
  for (const product of demoProducts) {
    const { data } = await call('POST', '/products', productBody(product, categories, address))
    for (const [side, text] of Object.entries(product.sides)) {
      const picture = `${address}/${fileName(product, side)}`
      await call('POST', `/products/${data.id}/views`, {
        title: side,
        thumbnail: picture,
        elements: demoElements(
          { base: picture, badge: `${address}/badge.svg`, upload: `${address}/upload.svg` },
          text,
        ),
        options: viewOptions,
      })
    }
  }
  await call('POST', '/shortcode-orders', {
    customer_name: 'Ada Example',
    customer_mail: 'ada@shop.example',
    views: Object.entries({ Front: 'Hello, print!', Back: 'Made here' }).map(([title, text]) => ({
      title,
      elements: demoElements(
        {
          base: `${address}/shirt-ffffff-${title.toLowerCase()}.svg`,
          badge: `${address}/badge.svg`,
          upload: `${address}/upload.svg`,
        },
        text,
      ),
      options: viewOptions,
    })),
  })
}

const fontFile = new URL('./fonts/LiberationSans-Bold.ttf', import.meta.url)

/** The body and headers of an upload form with the font. */
function fontForm(bytes: Buffer): [body: Buffer, headers: Record<string, string>] {
  const boundary = 'demo-font'
  const part = (head: string, content: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const body = Buffer.concat([
    part('name="name"', demoFont),
    part('name="file"; filename="demo.ttf"\r\nContent-Type: font/ttf', bytes),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return [body, { 'content-type': `multipart/form-data; boundary=${boundary}` }]
}

/** The newest order that can be exported; undefined if there is none. */
export async function printableOrder(
  app: FastifyInstance,
  { api, token, requestId }: Omit<DemoSettings, 'uploads'>,
): Promise<number | undefined> {
  const response = await app.inject({
    url: `${api}/shortcode-orders?limit=1`,
    headers: { authorization: `Bearer ${token}`, ...(requestId && { 'x-request-id': requestId }) },
  })
  const { data } = response.json()
  return response.statusCode === 200 ? data[0]?.id : undefined
}

const folder = 'svc/demo'

const fileName = ({ outline, color }: DemoProduct, side: string) =>
  `${outline}-${color.slice(1)}-${side}.svg`.toLowerCase()

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
  const pictures = demoProducts.flatMap((product) =>
    Object.keys(product.sides).map((side) => [
      fileName(product, side),
      productPicture(product.outline, product.color, side),
    ]),
  )
  for (const [name = '', picture = ''] of [
    ['badge.svg', badgePicture],
    ['upload.svg', uploadPicture],
    ...pictures,
  ]) {
    // Another host on this folder may be serving the previous version.
    const part = join(dir, `.${name}.${process.pid}`)
    await writeFile(part, picture)
    await rename(part, join(dir, name))
  }
}
