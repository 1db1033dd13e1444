// User interface layouts: rows of `svc_user_interfaces`. One of them is the default; it is created on first use.
import type { Kysely } from 'kysely'
import { noteChange } from '../core/change.ts'
import { SvcError } from '../core/errors.ts'
import { type Check, readBack, type Selection, type Write } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { type FoundRow, markedRows } from '../db/marked-rows.ts'
import { resourceWrites } from '../db/repository.ts'
import type { Tables } from '../db/tables.ts'
import { type Committed, isWritten } from '../db/transaction.ts'
import type { LegacyMirror } from '../legacy/mirror.ts'
import type { OptionsStore } from '../settings/option-rows.ts'

interface NewLayout {
  name: string
  data?: Record<string, unknown>
  is_default?: boolean
}

/** A layout by its id, or the one that is the default. */
type Ref = number | 'default'

type FoundLayout = FoundRow<'is_default'>

interface Services {
  database: Database
  options: OptionsStore
  legacy: LegacyMirror
}

export function userInterfacesRepository({ database, options, legacy }: Services) {
  const layouts = markedRows(database, 'user_interfaces')

  /** Runs a write under the guard, and mirrors the layouts in `touched` into the option rows of a legacy installation. */
  async function write<T>(
    work: (trx: Kysely<Tables>, touched: Set<number>) => Promise<T>,
    committed?: Committed<T>,
  ): Promise<T> {
    const keys = new Set<string>()
    const result = await database.transaction(async (trx) => {
      keys.clear()
      const touched = new Set<number>()
      await layouts.enter(trx)
      const rows = await legacy.layouts.enter(trx)
      const done = await work(trx, touched)
      if (rows) for (const id of touched) for (const key of await mirror(trx, rows, id)) keys.add(key)
      return done
    }, committed)
    if (keys.size > 0) await options.announce([...keys])
    return result
  }

  async function mirror(trx: Kysely<Tables>, rows: Map<string, string>, id: number): Promise<string[]> {
    const row = await layouts.read(id, trx)
    const layout = row && { name: row.name ?? '', data: row.data }
    return legacy.layouts.write(trx, rows, id, layout, (await layouts.markedId(trx)) === id)
  }

  /** The default's id. Stores the built-in layout if there is no default. Call it under the guard. */
  async function defaultId(trx: Kysely<Tables>, touched: Set<number>): Promise<number> {
    const stored = await layouts.markedId(trx)
    if (stored !== undefined) return stored
    const id = await layouts.insert(trx, defaultLayout)
    await layouts.setMark(trx, id)
    touched.add(id)
    noteChange({ resource: 'user_interface', action: 'created', id })
    return id
  }

  async function find(ref: Ref): Promise<FoundLayout | undefined> {
    if (ref !== 'default') return layouts.find(ref)
    return layouts.find((await layouts.markedId()) ?? (await write(defaultId)))
  }

  const { created, updated } = resourceWrites({
    resource: 'user_interface',
    find: layouts.find,
    transaction: database.transaction,
  })

  const idOf = (ref: Ref, trx: Kysely<Tables>, touched: Set<number>) =>
    ref === 'default' ? defaultId(trx, touched) : Promise.resolve(ref)

  return {
    async find(ref: Ref) {
      await legacy.layouts.refresh()
      return find(ref)
    },

    async list(ids: number[] | undefined, selection: Selection) {
      await legacy.layouts.refresh()
      const found = await layouts.list(ids, selection)
      if (found.markId !== undefined) return found
      await write(defaultId)
      return layouts.list(ids, selection)
    },

    /** A layout that is created without data starts as a copy of the default. */
    create({ name, data, is_default = false }: NewLayout, options = readBack) {
      return write(async (trx, touched) => {
        const base = await defaultId(trx, touched)
        const id = data ? await layouts.insert(trx, { name, data }) : await layouts.copy(trx, base, name)
        if (id === undefined) return undefined
        if (is_default) await layouts.setMark(trx, id)
        touched.add(id)
        return created(trx, id, options)
      }, isWritten(layouts.find))
    },

    /** @throws SvcError 409 for the default when it is to give up its status; whatever `decide` throws */
    update(ref: Ref, change: Write<Partial<NewLayout>>) {
      return write(async (trx, touched) => {
        const id = await idOf(ref, trx, touched)
        const current = await layouts.find(id, trx, { lock: true })
        if (!current) return undefined
        const { is_default, ...changes } = await change.decide(current)
        if (is_default === false && current.resource.is_default)
          throw new SvcError('svc_user_interface_is_default')
        await layouts.change(trx, id, changes)
        if (is_default) await layouts.setMark(trx, id)
        touched.add(id)
        return updated(trx, current, change)
      }, isWritten(layouts.find))
    },

    /**
     * The id of the removed layout; undefined when there is none.
     * @throws SvcError 409 when it is the default; whatever `check` throws
     */
    remove(ref: Ref, check?: Check): Promise<number | undefined> {
      return write(
        async (trx, touched) => {
          const id = await idOf(ref, trx, touched)
          const current = await layouts.find(id, trx, { lock: true })
          if (!current) return undefined
          await check?.(current)
          if (current.resource.is_default) throw new SvcError('svc_user_interface_is_default')
          await layouts.remove(trx, id)
          touched.add(id)
          noteChange({ resource: 'user_interface', action: 'deleted', id, before: current.state })
          return id
        },
        async (id) => id !== undefined && (await layouts.find(id)) === undefined,
      )
    },
  }
}

/** Of a shop that has not created one: a top bar with the usual actions, the modules next to it, and a toolbar that appears next to the selected element. */
const defaultLayout = {
  name: 'Default',
  data: {
    name: 'Default',
    plugin_options: {
      stageWidth: 1200,
      stageHeight: 800,
      mainBarModules: ['products', 'images', 'text', 'designs', 'manage-layers'],
      actions: {
        left: ['manage-layers', 'info'],
        center: ['undo', 'redo'],
        right: ['preview-lightbox', 'zoom', 'save'],
      },
      toolbarPlacement: 'smart',
    },
    container_classes: 'svc-topbar svc-shadow-1',
    css_colors: { primary: '#000000', secondary: '#27ae60' },
    custom_css: '',
    toolbar_exclude_tools: [],
  },
}
