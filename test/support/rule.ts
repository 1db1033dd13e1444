// What the contract tests share: a rule tried on each engine, and the rows that rules are tried on.
import t, { type Test } from 'tap'
import { type BuildOptions, build, onEachEngine, type TestHost } from './build.ts'

/** A rule in words, tried on each engine with a host and a database of its own. */
export function rule(
  name: string,
  run: (t: Test, host: TestHost) => Promise<void>,
  options: BuildOptions = {},
): void {
  t.test(name, (t) => onEachEngine(t, async (t, engine) => run(t, await build(t, { ...options, engine }))))
}

/** Creates a product and answers its id. */
export async function newProduct({ call }: TestHost, body: object = {}): Promise<number> {
  const { status, body: answer } = await call('POST', '/products', { title: 'Shirt', ...body })
  if (status !== 201) throw new Error(`No product was made: ${JSON.stringify(answer)}`)
  return answer.data.id
}

/** Adds a view to a product and answers its id. */
export async function newView({ call }: TestHost, product: number, body: object = {}): Promise<number> {
  const { status, body: answer } = await call('POST', `/products/${product}/views`, {
    title: 'Front',
    ...body,
  })
  if (status !== 201) throw new Error(`No view was made: ${JSON.stringify(answer)}`)
  return answer.data.id
}

/** Creates a category and answers its id. */
export async function newCategory({ call }: TestHost, title: string, products?: number[]): Promise<number> {
  const { status, body: answer } = await call('POST', '/categories', { title })
  if (status !== 201) throw new Error(`No category was made: ${JSON.stringify(answer)}`)
  if (products) await call('PATCH', `/categories/${answer.data.id}`, { products })
  return answer.data.id
}

/** Titles and positions of a product's views as they are stored. */
export async function storedOrder(
  { db, t }: TestHost,
  product: number,
): Promise<[string | null, number | null][]> {
  const rows = await db
    .selectFrom(t.views)
    .select(['title', 'view_order'])
    .where('product_id', '=', product)
    .orderBy('view_order')
    .orderBy('ID')
    .execute()
  return rows.map((row) => [row.title, row.view_order])
}

/** Writes an option the way PHP does: straight into the table. */
export async function storeOption({ db, t }: TestHost, name: string, value: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable(t.options)
    .set({ option_value: value })
    .where('option_name', '=', name)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const present = await db.selectFrom(t.options).select('option_id').where('option_name', '=', name).execute()
  if (present.length > 0) return
  await db.insertInto(t.options).values({ option_name: name, option_value: value, autoload: 'yes' }).execute()
}

const realNow = performance.now.bind(performance)
let ahead = 0
performance.now = () => realNow() + ahead

/** Lets a second go by at once, for all that measures an age: what others wrote must be seen then. */
export function passSecond(): void {
  ahead += 1000
}
