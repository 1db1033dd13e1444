// The option rows of a test's database, as PHP or another process would write and find them.
import type { TestHost } from './build.ts'

type Door = Pick<TestHost, 'db' | 't'>

/** Puts a row there, whatever stood there before. */
export async function storeOption({ db, t }: Door, name: string, value: string): Promise<void> {
  await db.deleteFrom(t.options).where('option_name', '=', name).execute()
  await db.insertInto(t.options).values({ option_name: name, option_value: value, autoload: 'yes' }).execute()
}

/** The text of a row; undefined when there is none. */
export async function storedOption({ db, t }: Door, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom(t.options)
    .select('option_value')
    .where('option_name', '=', name)
    .executeTakeFirst()
  return row?.option_value
}
