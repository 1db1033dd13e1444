// The order source of Gravity Forms: entries whose design is in the form field with the CSS class `svc-order`.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import { isoOfUtc } from '../db/time.ts'
import { type FormFields, fieldsOf, labelsOf, orderedOf } from './form-fields.ts'
import { noOrderData } from './order-errors.ts'
import { pageOf } from './order-search.ts'
import { emptyValues, type ListConditions, type OrderSource, type StoredValue } from './source.ts'
import { digestInput, digestsOf, hasPrintFile, idsOf, isWithin, shortText } from './source-statements.ts'
import { foreignEncoder, foreignTables } from './tables.ts'

/** The source of one database. */
export function gfSource(database: Database): OrderSource {
  const { db, f, typed } = foreignTables(database)
  const encoderFor = foreignEncoder(database)
  const isPrinted = hasPrintFile(database, 'gf', sql.ref('e.id'))

  /** The relevant fields of the forms that contain designs, by id. */
  async function forms(): Promise<Map<number, FormFields>> {
    const rows = await db
      .selectFrom(f.formMeta)
      .select(['form_id', 'display_meta'])
      .where('display_meta', 'like', '%svc-order%')
      .execute()
    return new Map(
      rows.flatMap(({ form_id, display_meta }) => {
        const fields = fieldsOf(display_meta)
        return fields ? [[form_id, fields] as const] : []
      }),
    )
  }

  /** The statement of entries with a design, newest first. MySQL sorts distinct rows only by selected columns. */
  function entries(
    fieldsByForm: Map<number, FormFields>,
    { include, since, until, hasPrintFile: hasFile, statuses }: ListConditions,
  ) {
    return db
      .selectFrom(`${f.entries} as e`)
      .innerJoin(`${f.entryMeta} as m`, 'm.entry_id', 'e.id')
      .select(['e.id', 'e.form_id', 'e.status', 'e.payment_status as payment'])
      .select(sql<string>`cast(e.date_created as char)`.as('created'))
      .distinct()
      .where('e.status', '=', 'active')
      .$if(statuses !== undefined, (q) =>
        q.where(sql`coalesce(nullif(lower(e.payment_status), ''), 'active')`, 'in', statuses ?? []),
      )
      .$if(include !== undefined, (q) => q.where('e.id', 'in', idsOf(include)))
      .$if(since !== undefined || until !== undefined, (q) =>
        q.where(isWithin('e.date_created', { since, until })),
      )
      .$if(hasFile === true, (q) => q.where(isPrinted))
      .$if(hasFile === false, (q) => q.where(sql<SqlBool>`not ${isPrinted}`))
      .where(({ or, and, eb }) =>
        or(
          [...fieldsByForm].map(([id, { design }]) =>
            and([eb('e.form_id', '=', id), eb('m.meta_key', '=', design)]),
          ),
        ),
      )
      .where('m.meta_value', 'not in', emptyValues)
      .orderBy('created', 'desc')
      .orderBy('e.id', 'desc')
  }
  type Entry = Awaited<ReturnType<ReturnType<typeof entries>['execute']>>[number]

  /**
   * Returns a function from an entry to its customer and what was ordered.
   * @param isAll reads the fields of every entry of the forms: a search has more entries than a list of ids in SQL should have
   */
  async function customers(
    rows: Entry[],
    fieldsByForm: Map<number, FormFields>,
    { isAll }: { isAll: boolean },
  ) {
    if (rows.length === 0) return () => ({ customer_name: '', customer_mail: '' })
    const usedKeys = [...fieldsByForm.values()].flatMap(({ name, mail, quantity, attributes }) => [
      ...name,
      ...mail,
      ...quantity,
      ...attributes.flatMap(({ keys }) => keys),
    ])
    const keys = [...new Set(usedKeys)]
    const ids = rows.map(({ id }) => id)
    const values = await db
      .selectFrom(f.entryMeta)
      .select(['entry_id', 'meta_key', shortText('meta_value').as('meta_value')])
      .where('meta_key', 'in', [...keys, ''])
      .where((eb) => (isAll ? eb('form_id', 'in', [...fieldsByForm.keys()]) : eb('entry_id', 'in', ids)))
      .execute()
    const byEntry = Map.groupBy(values, ({ entry_id }) => entry_id)
    return ({ id, form_id }: Entry) => {
      const meta = new Map(byEntry.get(id)?.map(({ meta_key, meta_value }) => [meta_key, meta_value ?? '']))
      const filled = (keys: string[] = []) => keys.map((key) => meta.get(key) ?? '').filter(Boolean)
      const fields = fieldsByForm.get(form_id)
      return {
        customer_name: filled(fields?.name).join(' '),
        customer_mail: filled(fields?.mail)[0] ?? '',
        ...(fields && orderedOf(fields, (key) => meta.get(key) ?? '')),
      }
    }
  }

  /** The form of an entry: as it is stored, and its relevant fields. */
  async function formOf(entryId: number, executor?: Kysely<Tables>) {
    const row = await (executor ? typed(executor) : db)
      .selectFrom(`${f.entries} as e`)
      .leftJoin(`${f.formMeta} as d`, 'd.form_id', 'e.form_id')
      .select(['e.form_id', 'd.display_meta'])
      .where('e.id', '=', entryId)
      .executeTakeFirst()
    return row && { id: row.form_id, stored: row.display_meta, ...fieldsOf(row.display_meta) }
  }

  /** The rows of the designs of these entries. @param value SQL of what is read of a design */
  async function designRows(orderIds: readonly number[], value: RawBuilder<string | null>) {
    const fieldsByForm = await forms()
    const keys = [...new Set([...fieldsByForm.values()].map(({ design }) => design))]
    if (orderIds.length === 0 || keys.length === 0) return []
    const rows = await db
      .selectFrom(f.entryMeta)
      .select(['id as row', 'entry_id as order', 'form_id as form', 'meta_key as key'])
      .select(value.as('value'))
      .where('entry_id', 'in', orderIds)
      .where('meta_key', 'in', keys)
      .orderBy('id')
      .execute()
    return rows.filter(({ form, key }) => fieldsByForm.get(form)?.design === key)
  }

  const storedValue = (row: number, key: string | null, value: string | null): StoredValue => ({
    itemId: null,
    key: key ?? '',
    value: value ?? '',
    location: { table: f.entryMeta, row, column: 'meta_value' },
  })

  return {
    async read(orderId, readOnlyKey, executor) {
      const connection = executor ? typed(executor) : db
      const form = await formOf(orderId, executor)
      if (!form) return undefined
      const rows = await connection
        .selectFrom(f.entryMeta)
        .select(['id', 'meta_key', 'meta_value'])
        .where('entry_id', '=', orderId)
        .where('meta_key', 'in', [form.design ?? '', readOnlyKey ?? ''])
        .orderBy('id')
        .execute()
      const valuesOf = (key: string | undefined) =>
        rows
          .filter(({ meta_key }) => meta_key !== null && meta_key === key)
          .map(({ id, meta_key, meta_value }) => storedValue(id, meta_key, meta_value))
      return { itemIds: [], designs: valuesOf(form.design), readOnlyValues: valuesOf(readOnlyKey) }
    },

    async facts(orderId) {
      const entry = await db
        .selectFrom(f.entries)
        .select(['status', 'payment_status as payment'])
        .where('id', '=', orderId)
        .executeTakeFirst()
      return entry && { status: statusOf(entry) }
    },

    async details(orderId) {
      const { stored = null, name = [], mail = [] } = (await formOf(orderId)) ?? {}
      const labels = labelsOf(stored)
      const isCustomer = (key: string | null) => [...name, ...mail].some((field) => field === key)
      const values = await db
        .selectFrom(f.entryMeta)
        .select(['meta_key', shortText('meta_value').as('meta_value')])
        .where('entry_id', '=', orderId)
        .where('meta_key', 'in', [...labels.keys(), ''])
        .orderBy('id')
        .execute()
      return {
        fields: values.flatMap(({ meta_key, meta_value }) => {
          const label = labels.get(meta_key ?? '')
          return label === undefined || !meta_value
            ? []
            : [{ label, value: meta_value, isCustomer: isCustomer(meta_key) }]
        }),
      }
    },

    async write(trx, { orderId, storedRow, order }) {
      const encoder = await encoderFor(trx, f.entryMeta)
      const json = encoder.json(f.entryMeta, 'meta_value', 'order', order)
      const form = storedRow ? undefined : await formOf(orderId, trx)
      const key = storedRow?.key ?? form?.design
      if (key === undefined) throw noOrderData(orderId, 'gf')
      const table = typed(trx)
      if (storedRow) {
        const change = table.updateTable(f.entryMeta).set({ meta_value: json })
        await change.where('id', '=', storedRow.location.row).execute()
      } else if (form) {
        // The form plugin looks for its rows by an empty index, which its early releases do not have.
        const index = encoder.has(f.entryMeta, 'item_index') && { item_index: '' }
        const values = { form_id: form.id, entry_id: orderId, meta_key: key, meta_value: json, ...index }
        await table.insertInto(f.entryMeta).values(values).execute()
      }
      return { table: f.entryMeta, objectId: orderId, keys: [key] }
    },

    async designs(orderIds) {
      const rows = await designRows(orderIds, sql.ref('meta_value'))
      return new Map(
        [...Map.groupBy(rows, ({ order }) => order)].map(([order, rowsOfOrder]) => [
          order,
          rowsOfOrder.map(({ row, key, value }) => storedValue(row, key, value)),
        ]),
      )
    },

    async designDigests(orderIds) {
      const designs = await designRows(orderIds, digestInput(database, 'meta_value'))
      return digestsOf(designs.map(({ order, value }) => ({ key: `${order}:0`, value })))
    },

    async list(query) {
      const fieldsByForm = await forms()
      if (fieldsByForm.size === 0) return { orders: [], total: async () => 0 }
      const listed = entries(fieldsByForm, query)
      return pageOf(
        query,
        async (slice) => {
          const rows = await (slice ? listed.limit(slice.limit).offset(slice.offset) : listed).execute()
          const customerOf = await customers(rows, fieldsByForm, { isAll: slice === undefined })
          return rows.map((row) => ({
            id: row.id,
            created_date: isoOfUtc(row.created),
            status: statusOf(row),
            product: fieldsByForm.get(row.form_id)?.title ?? '',
            ...customerOf(row),
          }))
        },
        async () => {
          const number = sql<number>`count(distinct e.id)`.as('number')
          const counted = listed.clearSelect().clearOrderBy().select(number)
          return Number((await counted.executeTakeFirstOrThrow()).number)
        },
      )
    },
  }
}

/** The payment state of an active entry whose form takes payments, otherwise the state of the entry. */
const statusOf = ({ status, payment }: { status: string | null; payment: string | null }): string =>
  status === 'active' && payment ? payment.toLowerCase() : (status ?? '')
