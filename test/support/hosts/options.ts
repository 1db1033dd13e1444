// Reads an option row as PHP would find it.
import type { TestHost } from './build.ts'

/** The value of the row; undefined if there is none. */
export async function storedOption(
  { db, t }: Pick<TestHost, 'db' | 't'>,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(t.options)
    .select('option_value')
    .where('option_name', '=', name)
    .executeTakeFirst()
  return row?.option_value
}
