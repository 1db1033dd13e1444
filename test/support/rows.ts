// Creates rows for tests, through the API or directly in the database.
import type { TestHost } from './build.ts'

/** Creates a product and returns its id. */
export async function newProduct({ call }: TestHost, body: object = {}): Promise<number> {
  const { status, body: response } = await call('POST', '/products', { title: 'Shirt', ...body })
  if (status !== 201) throw new Error(`No product was created: ${JSON.stringify(response)}`)
  return response.data.id
}

/** Adds a view to a product and returns its id. */
export async function newView({ call }: TestHost, product: number, body: object = {}): Promise<number> {
  const { status, body: response } = await call('POST', `/products/${product}/views`, {
    title: 'Front',
    ...body,
  })
  if (status !== 201) throw new Error(`No view was created: ${JSON.stringify(response)}`)
  return response.data.id
}

/** Creates a category and returns its id. */
export async function newCategory({ call }: TestHost, title: string, products?: number[]): Promise<number> {
  const { status, body: response } = await call('POST', '/categories', { title })
  if (status !== 201) throw new Error(`No category was created: ${JSON.stringify(response)}`)
  if (products) await call('PATCH', `/categories/${response.data.id}`, { products })
  return response.data.id
}

/** The stored titles and positions of a product's views. */
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

/** Writes an option directly into the table, as PHP does. */
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
