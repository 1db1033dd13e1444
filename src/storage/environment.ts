// Reads the option `storage` from environment variables, for the commands and for hosts.
import type { StorageOptions } from './options.ts'
import type { RemoteStorage } from './remote-storage.ts'
import { remoteStorages } from './remote-storages.ts'

/**
 * Reads an environment variable; undefined if it is not set, or empty.
 * @throws Error with one sentence, the name followed by `demand`, if the value does not match `form`
 */
export type ReadVariable = (name: string, form: RegExp, demand: string) => string | undefined

const names = remoteStorages.map(({ name }) => name)

/** The environment variable of each option of `storage`. */
export const storageVariables: Readonly<Record<string, string>> = Object.fromEntries([
  ['storage.use', 'SVC_STORAGE'],
  ...remoteStorages.flatMap(({ name, variables }) =>
    Object.entries(variables).map(([option, variable]) => [`storage.${name}.${option}`, variable.name]),
  ),
])

/**
 * The option `storage` that the environment variables make. SVC_STORAGE selects the storage of new files; without it a bucket does, or
 * a Dropbox token if no bucket is named. For what the variables do not set, the settings of the shop apply.
 * @throws Error with one sentence that names the variable, for an invalid value
 */
export function storageFromEnvironment(read: ReadVariable): StorageOptions {
  const form = new RegExp(`^(none|${names.join('|')})$`)
  const demand = `must be none, ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  const chosen = read('SVC_STORAGE', form, demand)
  const remoteOptions = remoteStorages.map((storage) => ({ storage, options: optionsOf(storage, read) }))
  // S3 is the last of the list.
  const selected = remoteOptions.findLast(({ storage, options }) => options[storage.selectedBy] !== undefined)
  const use = chosen ?? selected?.storage.name
  const byName = remoteOptions.map(({ storage, options }) => [storage.name, options])
  return { ...(use !== undefined && { use }), ...Object.fromEntries(byName) }
}

/** Those options of a storage whose variables are set. */
function optionsOf({ variables }: RemoteStorage, read: ReadVariable): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const [option, { name, form, demand, parse = String }] of Object.entries(variables)) {
    const text = read(name, form, demand)
    if (text === undefined) continue
    options[option] = parse(text)
    if (options[option] === undefined) throw new Error(`${name} ${demand}.`)
  }
  return options
}
