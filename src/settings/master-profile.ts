// The data of the master print profile.
import type { Database } from '../db/connect.ts'
import { markedId } from '../db/marked-row.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'

/** Empty if there is none or it cannot be read. */
export async function masterData({ db, t }: Database): Promise<Record<string, unknown>> {
  const master = await markedId(db, t, 'print_profiles')
  const row = await db
    .selectFrom(t.print_profiles)
    .select('data')
    .where('ID', '=', master ?? 0)
    .executeTakeFirst()
  return Object(fromJson(readStoredJson(row?.data ?? null, '{}') ?? '{}'))
}
