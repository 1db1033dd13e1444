// Print profiles: rows of `svc_print_profiles`. At most one of them is the master: of several that another program has flagged, the
// oldest.
import type { Kysely } from 'kysely'
import { SvcError } from '../core/errors.ts'
import { type Check, readBack, type Write } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { type FoundRow, flaggedRows } from '../db/flagged-rows.ts'
import { type ReadOptions, resourceWrites } from '../db/repository.ts'
import type { Tables } from '../db/tables.ts'

interface NewPrintProfile {
  name: string
  data?: Record<string, unknown>
  is_master?: boolean
}

/** A profile by its id, or the one that is the master. */
type Ref = number | 'master'

/** Reads and writes the print profiles of one database. */
export function printProfilesRepository(database: Database) {
  const profiles = flaggedRows(database, 'print_profiles')

  const idOf = (ref: Ref, executor?: Kysely<Tables>) =>
    ref === 'master' ? profiles.flaggedId(executor) : Promise.resolve(ref)

  /** The profile; undefined when there is none with this id, or no master. */
  async function find(ref: Ref, executor?: Kysely<Tables>, { lock = false }: ReadOptions = {}) {
    const id = await idOf(ref, executor)
    return id === undefined ? undefined : profiles.find(id, executor, { lock })
  }

  const { lockTable } = profiles
  const { write, created, updated, remove } = resourceWrites<FoundRow<'is_master'>, Ref>({
    resource: 'print_profile',
    find,
    transaction: database.transaction,
    lockTable,
  })

  return {
    find: (ref: Ref) => find(ref),
    /** All profiles, or those of some ids, by name. */
    list: profiles.list,

    /** Creates a profile; a new master replaces the previous one. */
    create({ name, data = {}, is_master = false }: NewPrintProfile, options = readBack) {
      return write(async (trx) => {
        await lockTable(trx)
        const id = await profiles.insert(trx, { name, data })
        if (is_master) await profiles.setFlag(trx, id)
        return created(trx, id, options)
      })
    },

    /** Copies a profile; undefined when there is none. A copy is never the master. */
    duplicate(ref: Ref, name: string, options = readBack) {
      return write(async (trx) => {
        await lockTable(trx)
        const source = await idOf(ref, trx)
        const id = source === undefined ? undefined : await profiles.copy(trx, source, name)
        return id === undefined ? undefined : created(trx, id, options)
      })
    },

    /** Changes the fields that are present; undefined when there is no such profile. @throws whatever `decide` throws */
    update(ref: Ref, change: Write<Partial<NewPrintProfile>>) {
      return write(async (trx) => {
        await lockTable(trx)
        const profile = await find(ref, trx, { lock: true })
        if (!profile) return undefined
        const { is_master, ...changes } = await change.decide(profile)
        const { resource } = profile
        await profiles.change(trx, resource.id, changes)
        // A profile that is not the master must not clear the status of the one that is.
        if (is_master || (is_master === false && resource.is_master))
          await profiles.setFlag(trx, is_master ? resource.id : undefined)
        return updated(trx, profile, change)
      })
    },

    /** Removes a profile that is not the master. @throws SvcError 409 for the master; whatever `check` throws */
    remove(ref: Ref, check?: Check) {
      return remove(ref, check, async (trx, { resource }) => {
        if (resource.is_master) throw new SvcError('svc_print_profile_is_master')
        await profiles.remove(trx, resource.id)
      })
    },
  }
}
