// Serves the first page of the host. It shows nothing that is not public: no token, and of the shop only the demo.
import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { demoFolder } from './demo.ts'
import { type HomePage, homePage, icon, type Part, type Picture, script, style } from './home-page.ts'
import { inTurn } from './in-turn.ts'
import { isInstalled } from './installed.ts'

interface HomeOptions extends Pick<HomePage, 'links'> {
  commands: () => Promise<HomePage['commands']>
  /** GET requests to the API, with its token. */
  read: (path: string) => Promise<{ status: number; data: unknown }>
  /** Whether print files are drawn here. */
  hasRenderer: boolean
  uploadsDir: string
}

/** Milliseconds for which what was found out is shown again, so that many requests cost no more than one. */
const fresh = 5000

const protection = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export async function home(app: FastifyInstance, options: HomeOptions): Promise<void> {
  const { links } = options
  const facts = remembered(async () => {
    const [parts, products, commands] = await Promise.all([
      partsOf(options),
      productsOf(options),
      options.commands(),
    ])
    return { parts, products, commands, order: products.length > 0 ? await orderOf(options) : [] }
  })

  let document: Promise<Buffer> | undefined
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(protection)
    await inTurn(request, reply)
  })
  app.get('/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(homePage({ ...(await facts()), links })),
  )
  app.get('/home.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  app.get('/home.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  app.get('/favicon.ico', async (_request, reply) => reply.type('image/svg+xml').send(icon))
  app.get('/openapi.json', async (_request, reply) => {
    document ??= readFile(fileURLToPath(import.meta.resolve('svc-api/openapi.json')))
    return reply.type('application/json; charset=utf-8').send(await document)
  })
}

/** The pages of this host. */
export function linksOf(user: string): HomePage['links'] {
  const reference = {
    href: 'reference',
    name: 'API reference',
    about: 'Read and try every operation. Asks for the API token.',
  }
  return [
    {
      href: 'desk',
      name: 'Desk',
      about: 'For the print room: orders, print files and the queue. Same password as the settings.',
    },
    {
      href: 'settings',
      name: 'Settings',
      about: `For the administrator, user ${user}: the password is SVC_ADMIN_PASSWORD, or in the terminal.`,
    },
    ...(isInstalled('swagger-ui-dist') ? [reference] : []),
    {
      href: 'openapi.json',
      name: 'OpenAPI document',
      about: 'For generators and agents: every operation of this version.',
    },
  ]
}

function remembered<T>(find: () => Promise<T>): () => Promise<T> {
  let found: { value: Promise<T>; at: number } | undefined
  return () => {
    if (!found || performance.now() - found.at > fresh) found = { value: find(), at: performance.now() }
    return found.value
  }
}

async function partsOf({ read, hasRenderer, uploadsDir }: HomeOptions): Promise<Part[]> {
  const [ready, isWritable, list] = await Promise.all([
    read('/system?fields=version'),
    access(uploadsDir, constants.W_OK).then(
      () => true,
      () => false,
    ),
    hasRenderer ? read('/products?limit=1&fields=id') : undefined,
  ])
  const [product] = list?.status === 200 ? (list.data as { id: number }[]) : []
  const drawn = product && (await read(`/products/${product.id}/preview?width=64`))
  // A refused design was looked at by a renderer that works.
  const isBroken = drawn !== undefined && drawn.status >= 500
  return [
    {
      name: 'Database',
      works: ready.status === 200,
      said: ready.status === 200 ? 'responds' : 'does not respond',
    },
    { name: 'File storage', works: isWritable, said: isWritable ? 'can be written' : 'cannot be written' },
    {
      name: 'Renderer',
      works: hasRenderer ? !isBroken : undefined,
      said: !hasRenderer
        ? isInstalled('pdfkit')
          ? 'is off'
          : 'is off: npm install pdfkit'
        : !drawn
          ? 'is installed'
          : isBroken
            ? 'cannot draw'
            : 'draws',
    },
  ]
}

/** Products of the demo that still are there: those with its pictures. */
async function productsOf({ read, uploadsDir }: HomeOptions): Promise<Picture[]> {
  const { status, data } = await read('/products?limit=100&order=asc&fields=title,thumbnail')
  if (status !== 200) return []
  const own = new RegExp(`/${demoFolder}/([\\w-]+)\\.svg$`)
  const products = (data as { title: string; thumbnail: string }[]).map(async ({ title, thumbnail }) => {
    const [, name] = own.exec(thumbnail) ?? []
    return name === undefined ? [] : [{ url: await pictureOf(uploadsDir, name), title, size: 400 }]
  })
  return (await Promise.all(products)).flat()
}

/** The drawn design; until it is drawn, the empty product. */
async function pictureOf(uploadsDir: string, name: string): Promise<string> {
  const drawn = await isThere(join(uploadsDir, demoFolder, `${name}.png`))
  return `uploads/${demoFolder}/${name}.${drawn ? 'png' : 'svg'}`
}

async function orderOf({ uploadsDir }: HomeOptions): Promise<Picture[]> {
  const views = ['Front', 'Back'].map(async (title, index) => {
    const name = `order-${index}.png`
    const drawn = await isThere(join(uploadsDir, demoFolder, name))
    return drawn ? [{ url: `uploads/${demoFolder}/${name}`, title, size: 400 }] : []
  })
  return (await Promise.all(views)).flat()
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
