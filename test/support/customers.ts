// A shop with orders of several customers, for tests that erase one of them.
import { readdirSync } from 'node:fs'
import type { Test } from 'tap'
import { type EraseCustomerOptions, eraseCustomer } from '../../plugins/index.ts'
import type { Engine } from './build.ts'
import { type PrintHost, printHost } from './print.ts'

export const mail = 'ada@shop.example'

export const customized = {
  title: 'Front of Ada',
  thumbnail: 'data:image/png;base64,QURB',
  price: 12.5,
  quantity: 3,
  productId: 7,
  elements: [
    { type: 'text', title: 'Ada', parameters: { price: 2.5, text: 'Ada Lovelace' } },
    {
      type: 'image',
      source: 'https://shop.example/wp-content/uploads/svc/uploads/2026/04/ada%20face.png',
      parameters: { price: 0 },
    },
  ],
}

/** What remains of it. */
export const emptied = { price: 12.5, quantity: 3, productId: 7, elements: [], element_prices: [2.5] }

interface Row {
  customer_mail: string | null
  customer_name?: string
  views?: string | null
  print_order?: string | null
}

export async function customers(t: Test, engine: Engine, options: Parameters<typeof printHost>[1] = {}) {
  const host = await printHost(t, { engine, ...options })
  return {
    host,
    /** Stores an order as PHP would, and returns its id. */
    async stored(row: Row): Promise<number> {
      const values = {
        customer_name: 'Ada Lovelace',
        views: JSON.stringify([customized]),
        print_order: null,
        ...row,
      }
      const { insertId } = await host.db.insertInto(host.t.orders).values(values).executeTakeFirstOrThrow()
      return Number(insertId)
    },
    erase: (more: Partial<EraseCustomerOptions> = {}) =>
      eraseCustomer({ ...installation(host), mail, ...more }),
    /** Everything that is stored in the tables of orders and print jobs. */
    rows: async () => ({
      orders: await host.db.selectFrom(host.t.orders).selectAll().orderBy('ID').execute(),
      jobs: await host.db.selectFrom(host.t.print_jobs).selectAll().orderBy('ID').execute(),
      steps: await host.db.selectFrom(host.t.print_job_steps).selectAll().orderBy('job_id').execute(),
      files: readdirSync(host.uploads, { recursive: true }).sort(),
    }),
  }
}

export const installation = (host: PrintHost) => ({
  database: host.address,
  uploads: { dir: host.uploads, url: 'https://shop.example/wp-content/uploads' },
})
