// Print profiles: rows of `svc_print_profiles`, of which at most one is the master at any moment.
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/connect.ts'
import type { Tables } from '../../src/db/tables.ts'
import { isThere } from '../../src/db/transaction.ts'
import { SvcError } from '../../src/errors.ts'
import { readBack } from '../../src/read-back.ts'
import { type FoundRow, type MarkedRow, markedRows } from '../../src/repositories/marked-rows.ts'
import type { NewPrintProfile, PrintProfilePatch } from './schema.ts'

export type PrintProfile = MarkedRow<'is_master'>

/** A profile by its id, or whichever is the master. */
export type Ref = number | 'master'

type Check = (current: FoundRow<'is_master'>) => void | Promise<void>

export function printProfilesRepository(database: Database) {
  const profiles = markedRows(database, 'print_profiles')

  const idOf = (ref: Ref, executor?: Kysely<Tables>) =>
    ref === 'master' ? profiles.markedId(executor) : Promise.resolve(ref)

  async function find(ref: Ref, executor?: Kysely<Tables>, lock = false) {
    const id = await idOf(ref, executor)
    return id === undefined ? undefined : profiles.find(id, executor, lock)
  }

  /** Runs a write under the guard and answers with the profile that it names. */
  function write(work: (trx: Kysely<Tables>) => Promise<number | undefined>) {
    return database.transaction(async (trx) => {
      await profiles.enter(trx)
      const id = await work(trx)
      return id === undefined ? undefined : readBack(id, () => profiles.find(id, trx))
    }, isThere(profiles.find))
  }

  /** @throws what `check` throws */
  function update(ref: Ref, { is_master, ...changes }: PrintProfilePatch, check?: Check) {
    return write(async (trx) => {
      const current = await find(ref, trx, true)
      if (!current) return undefined
      await check?.(current)
      const { id } = current.resource
      await profiles.change(trx, id, changes)
      // Clearing a status that the profile does not have must not touch the one that has it.
      if (is_master || (is_master === false && current.resource.is_master))
        await profiles.setMark(trx, is_master ? id : undefined)
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
        return id
      })
    },

    /** A copy is never the master. */
    duplicate(ref: Ref, name: string) {
      return write(async (trx) => {
        const id = await idOf(ref, trx)
        return id === undefined ? undefined : profiles.copy(trx, id, name)
      })
    },

    /**
     * The id of the removed profile; undefined when there was none.
     * @throws SvcError 409 when it is the master; what `check` throws
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
          return id
        },
        async (id) => id !== undefined && (await profiles.find(id)) === undefined,
      )
    },
  }
}
