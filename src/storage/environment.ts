// The option `storage` of the commands and of hosts, from environment variables.
import type { StorageOptions } from './options.ts'
import type { RemoteStorage } from './remote-storage.ts'
import { remoteStorages } from './remote-storages.ts'

/** Reads a variable of this form; empty counts as absent. @throws Error with one sentence that names it, not its value */
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
 * What environment variables say about file storages. What they leave open, the shop's settings say.
 * @throws Error with one sentence for an invalid value, which names the variable
 */
export function storageFromEnvironment(read: ReadVariable): StorageOptions {
  const last = names.at(-1)
  const [form, demand] = [
    new RegExp(`^(none|${names.join('|')})$`),
    `must be none, ${names.slice(0, -1).join(', ')} or ${last}`,
  ]
  const use = read('SVC_STORAGE', form, demand)
  const remote = remoteStorages.map((storage) => [storage.name, optionsOf(storage, read)] as const)
  // Setting a bucket or a Dropbox token selects that storage.
  const selected = remoteStorages.findLast(
    ({ selectedBy }, index) => remote[index]?.[1][selectedBy] !== undefined,
  )
  const chosen = use ?? selected?.name
  return { ...(chosen !== undefined && { use: chosen }), ...Object.fromEntries(remote) }
}

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
