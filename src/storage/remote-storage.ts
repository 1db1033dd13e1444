// What a remote storage declares. Its options, settings, rights, variables, integration and documents derive from it.
import type { TSchema } from '@sinclair/typebox'
import type { FileStorage } from './storage.ts'

/** A setting of the shop, whose key begins with `svc_ae_`, the name of the storage and `_`. */
export interface StorageSetting {
  id: `svc_ae_${string}`
  type: 'text' | 'password' | 'select'
  label: string
  description: string
  default: string
  secret?: true
  /** The only accepted values. */
  choices?: readonly string[]
  format?: 'address' | 'word'
}

/** An environment variable of the commands and of the example host. */
export interface StorageVariable {
  name: string
  /** What a value must look like, and the rest of the sentence that refuses another one. */
  form: RegExp
  demand: string
  /** The value of the option; undefined if it is none. Default: the text itself. */
  parse?(text: string): unknown
  /** Of the documents: what counts without it, and what it means. */
  standard: string
  meaning: string
}

/** Option rows by key. */
export type StoredSettings = ReadonlyMap<string, string>

/** A storage with its settings. */
export interface Connection {
  /** What the row of a file keeps in addition to its key, so that the file is found after a change of the settings. */
  location: string
  /** One client is kept for equal settings. */
  settings: object
  open(): FileStorage & { close?(): Promise<void> }
}

export interface RemoteStorage {
  /** In options, in `svc_ae_cloud`, and in the rows of files: at most 20 lower-case letters, digits and dashes. */
  name: string
  /** For people. */
  label: string
  /** The host's option `storage.<name>`, which wins over the settings, property by property. */
  options: TSchema
  settings: readonly StorageSetting[]
  /** Variables of the environment by the name of the option. */
  variables: Readonly<Record<string, StorageVariable>>
  /** The option whose variable selects the storage. */
  selectedBy: string
  /**
   * @param location of a stored file; by default that of new files
   * @returns a sentence if a setting is missing or invalid
   */
  connect(options: object, stored: StoredSettings, location?: string | null): Connection | string
}

/** An empty stored value counts as absent. */
export const storedText = (stored: StoredSettings, key: string) => stored.get(key)?.trim() || undefined

/** The folder without leading and trailing slashes. */
export const folderIn = (path: string) => path.replace(/^\/+|(?<!\/)\/+$/g, '')

/** The form of a variable without whitespace. */
export const word = { form: /^[^\s]{1,500}$/, demand: 'must hold no whitespace' }

/** The form of a variable that holds a base URL. */
export const address = {
  form: /^https?:\/\/[^\s?#]+$/,
  demand: 'must be an http or https address without a query',
  parse: (text: string) => (URL.canParse(text) ? text.replace(/(?<!\/)\/+$/, '') : undefined),
}
