// Print profiles: rows of `svc_print_profiles`. At most one of them is the master at any time.
import type { Kysely } from 'kysely'
import { noteChange } from '../core/change.ts'
import { SvcError } from '../core/errors.ts'
import { readBack } from '../core/read-back.ts'
import type { Check } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { markedRows } from '../db/marked-rows.ts'
import type { Tables } from '../db/tables.ts'
import { isThere } from '../db/transaction.ts'

interface NewPrintProfile {
  name: string
  data?: Record<string, unknown>
  is_master?: boolean
}

type PrintProfilePatch = Partial<NewPrintProfile>

/** A profile by its id, or the one that is the master. */
type Ref = number | 'master'

export function printProfilesRepository(database: Database) {
  const profiles = markedRows(database, 'print_profiles')

  const idOf = (ref: Ref, executor?: Kysely<Tables>) =>
    ref === 'master' ? profiles.markedId(executor) : Promise.resolve(ref)

  async function find(ref: Ref, executor?: Kysely<Tables>, lock = false) {
    const id = await idOf(ref, executor)
    return id === undefined ? undefined : profiles.find(id, executor, lock)
  }

  /** Runs a write under the guard and returns the profile whose id it returns. */
  function write(work: (trx: Kysely<Tables>) => Promise<number | undefined>) {
    return database.transaction(async (trx) => {
      await profiles.enter(trx)
      const id = await work(trx)
      return id === undefined ? undefined : readBack(id, () => profiles.find(id, trx))
    }, isThere(profiles.find))
  }

  /** @throws whatever `check` throws */
  function update(ref: Ref, { is_master, ...changes }: PrintProfilePatch, check?: Check) {
    return write(async (trx) => {
      const current = await find(ref, trx, true)
      if (!current) return undefined
      await check?.(current)
      const { id } = current.resource
      await profiles.change(trx, id, changes)
      // A profile that is not the master must not clear the status of the one that is.
      if (is_master || (is_master === false && current.resource.is_master))
        await profiles.setMark(trx, is_master ? id : undefined)
      noteChange({ resource: 'print_profile', action: 'updated', id, before: current.state })
      return id
    })
  }

  return {
    find: (ref: Ref) => find(ref),
    list: profiles.list,
    update,

    create({ name, data = {}, is_master = false }: NewPrintProfile) {
      return write(async (trx) => {
        const id = await profiles.insert(trx, { name, data })
        if (is_master) await profiles.setMark(trx, id)
        noteChange({ resource: 'print_profile', action: 'created', id })
        return id
      })
    },

    /** A copy is never the master. */
    duplicate(ref: Ref, name: string) {
      return write(async (trx) => {
        const id = await idOf(ref, trx)
        const copy = id === undefined ? undefined : await profiles.copy(trx, id, name)
        if (copy !== undefined) noteChange({ resource: 'print_profile', action: 'created', id: copy })
        return copy
      })
    },

    /**
     * The id of the removed profile; undefined when there is none.
     * @throws SvcError 409 when it is the master; whatever `check` throws
     */
    remove(ref: Ref, check?: Check): Promise<number | undefined> {
      return database.transaction(
        async (trx) => {
          await profiles.enter(trx)
          const current = await find(ref, trx, true)
          if (!current) return undefined
          await check?.(current)
          const { id, is_master } = current.resource
          if (is_master) throw new SvcError('svc_print_profile_is_master')
          await profiles.remove(trx, id)
          noteChange({ resource: 'print_profile', action: 'deleted', id, before: current.state })
          return id
        },
        async (id) => id !== undefined && (await profiles.find(id)) === undefined,
      )
    },
  }
}
