// User interface layouts: rows of `svc_user_interfaces`. One of them is the default; it is created on first use. Legacy installations
// store each in an option, too, which legacy/layouts.ts and legacy/layout-mirror.ts keep equal.
import { noteChange } from '../core/change.ts'
import { SvcError } from '../core/errors.ts'
import { type Check, readBack, type Selection, type Write } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { type FoundRow, flaggedRows } from '../db/flagged-rows.ts'
import { resourceWrites } from '../db/repository.ts'
import { type Verify, verifyByState, type WriteTransaction } from '../db/transaction.ts'
import type { LegacyMirror } from '../legacy/mirror.ts'
import type { OptionValues } from '../legacy/rows.ts'
import type { OptionsStore } from '../settings/option-rows.ts'

interface NewLayout {
  name: string
  data?: Record<string, unknown>
  is_default?: boolean
}

/** A layout by its id, or the one that is the default. */
type Ref = number | 'default'

type FoundLayout = FoundRow<'is_default'>

/** What a write returns, and the ids of the layouts that it created, changed or removed. */
interface LayoutWrite<T> {
  result: T
  changedIds: number[]
}

interface Services {
  database: Database
  options: OptionsStore
  legacy: LegacyMirror
}

/** Reads and writes the layouts of one database. */
export function userInterfacesRepository({ database, options, legacy }: Services) {
  const layouts = flaggedRows(database, 'user_interfaces')

  /**
   * Runs a write under the guard, and mirrors the layouts that it changed into the options of a legacy installation.
   * @param verify whether the write took place; called if the response to COMMIT was lost
   */
  async function write<T>(
    work: (trx: WriteTransaction) => Promise<LayoutWrite<T>>,
    verify?: Verify<T>,
  ): Promise<T> {
    const { result, keys } = await database.transaction(
      async (trx) => {
        await layouts.lockTable(trx)
        const legacyRows = await legacy.layouts.mergeChanges(trx)
        const { result, changedIds } = await work(trx)
        const keys = new Set<string>()
        if (legacyRows)
          for (const id of new Set(changedIds))
            for (const key of await mirror(trx, legacyRows, id)) keys.add(key)
        return { result, keys }
      },
      verify && ((written) => verify(written.result)),
    )
    if (keys.size > 0) await options.announce([...keys])
    return result
  }

  /** Mirrors a layout into its legacy option; returns the keys of the options written. */
  async function mirror(trx: WriteTransaction, legacyRows: OptionValues, id: number): Promise<string[]> {
    const row = await layouts.read(id, trx)
    const layout = row && { name: row.name ?? '', data: row.data }
    const isDefault = (await layouts.flaggedId(trx)) === id
    return legacy.layouts.mirror(trx, legacyRows, id, layout, { isDefault })
  }

  /** The default's id. Stores the built-in layout if there is no default. Call it in `write`. */
  async function defaultId(trx: WriteTransaction): Promise<LayoutWrite<number>> {
    const stored = await layouts.flaggedId(trx)
    if (stored !== undefined) return { result: stored, changedIds: [] }
    const id = await layouts.insert(trx, defaultLayout)
    await layouts.setFlag(trx, id)
    noteChange(trx, { resource: 'user_interface', action: 'created', id })
    return { result: id, changedIds: [id] }
  }

  /** The layout; stores the built-in one if the default is requested and there is none. */
  async function find(ref: Ref): Promise<FoundLayout | undefined> {
    if (ref !== 'default') return layouts.find(ref)
    return layouts.find((await layouts.flaggedId()) ?? (await write(defaultId)))
  }

  const { created, updated } = resourceWrites({
    resource: 'user_interface',
    find: layouts.find,
    transaction: database.transaction,
  })

  /** The id of a reference; stores the built-in layout if the default is requested and there is none. Call it in `write`. */
  const idOf = async (ref: Ref, trx: WriteTransaction): Promise<LayoutWrite<number>> =>
    ref === 'default' ? defaultId(trx) : { result: ref, changedIds: [] }

  return {
    /** The layout; undefined when there is none with this id. A default always exists, because it is stored on first use. */
    async find(ref: Ref) {
      await legacy.layouts.refresh()
      return find(ref)
    },

    /** All layouts, or those of `ids`, by name. Stores the built-in layout if there is no default. */
    async list(ids: number[] | undefined, selection: Selection) {
      await legacy.layouts.refresh()
      const page = await layouts.list(ids, selection)
      if (page.flaggedId !== undefined) return page
      await write(defaultId)
      return layouts.list(ids, selection)
    },

    /** Creates a layout; without data it starts as a copy of the default. Stores the built-in layout first, if there is no default. */
    create({ name, data, is_default = false }: NewLayout, options = readBack) {
      return write(async (trx) => {
        const { result: sourceId, changedIds } = await defaultId(trx)
        const id = data ? await layouts.insert(trx, { name, data }) : await layouts.copy(trx, sourceId, name)
        if (id === undefined) return { result: undefined, changedIds }
        if (is_default) await layouts.setFlag(trx, id)
        return { result: await created(trx, id, options), changedIds: [...changedIds, id] }
      }, verifyByState(layouts.find))
    },

    /**
     * Changes the fields that are present; undefined when there is no such layout.
     * @throws SvcError 409 if the default is to be no default any more; whatever `decide` throws
     */
    update(ref: Ref, change: Write<Partial<NewLayout>>) {
      return write(async (trx) => {
        const { result: id, changedIds } = await idOf(ref, trx)
        const current = await layouts.find(id, trx, { lock: true })
        if (!current) return { result: undefined, changedIds }
        const { is_default, ...changes } = await change.decide(current)
        if (is_default === false && current.resource.is_default)
          throw new SvcError('svc_user_interface_is_default')
        await layouts.change(trx, id, changes)
        if (is_default) await layouts.setFlag(trx, id)
        return { result: await updated(trx, current, change), changedIds: [...changedIds, id] }
      }, verifyByState(layouts.find))
    },

    /**
     * Removes a layout that is not the default, and returns its id; undefined when there is none.
     * @throws SvcError 409 when it is the default; what `check` throws
     */
    remove(ref: Ref, check?: Check): Promise<number | undefined> {
      return write(
        async (trx) => {
          const { result: id, changedIds } = await idOf(ref, trx)
          const current = await layouts.find(id, trx, { lock: true })
          if (!current) return { result: undefined, changedIds }
          await check?.(current)
          if (current.resource.is_default) throw new SvcError('svc_user_interface_is_default')
          await layouts.remove(trx, id)
          noteChange(trx, { resource: 'user_interface', action: 'deleted', id, before: current.state })
          return { result: id, changedIds: [...changedIds, id] }
        },
        async (id) => id !== undefined && (await layouts.find(id)) === undefined,
      )
    },
  }
}

/**
 * The built-in default of a shop that has not created one: a top bar with the usual actions, the modules next to it, and a
 * toolbar that appears next to the selected element.
 */
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
