// The declaration of a remote storage, from which its options, settings, rights, environment variables, integration and documents derive,
// and what the declarations share.
import { type TSchema, Type } from '@sinclair/typebox'
import { httpUrl } from '../core/check-options.ts'
import type { FileStorage } from './storage.ts'

/** A setting of the shop, whose key begins with `svc_ae_`, the name of the storage and `_`. */
export interface StorageSetting {
  id: `svc_ae_${string}`
  type: 'text' | 'password' | 'select'
  label: string
  description: string
  default: string
  secret?: true
  choices?: readonly string[]
  format?: 'address' | 'word'
}

/** An environment variable of the commands and of the example host. */
export interface StorageVariable {
  name: string
  /** Matches valid values. */
  form: RegExp
  /** What a refused value must be, after the name of the variable: `must be the name of a bucket`. */
  demand: string
  /** Converts a text that matches `form` to the value of the option; undefined if it is invalid. Default: the text itself. */
  parse?(text: string): unknown
  /** The default, for documents. */
  standard: string
  /** Description, for documents. */
  meaning: string
}

/** The stored settings of the shop: option rows by key. */
export type StoredSettings = ReadonlyMap<string, string>

/** A storage with its settings. */
export interface RemoteConnection {
  /** Stored in the row of a file beside its key, so that the file is found after a change of the settings: bucket and folder. */
  location: string
  /** Equal settings share one client. */
  settings: object
  /** Creates the client. */
  open(): FileStorage & { close?(): Promise<void> }
}

export interface RemoteStorage {
  /** Name in options, in the setting `svc_ae_cloud`, and in the rows of files: at most 20 lower-case letters, digits and dashes. */
  name: string
  /** Name for people. */
  label: string
  /** The host's option `storage.<name>`, which wins over the settings, property by property. */
  options: TSchema
  settings: readonly StorageSetting[]
  /** Variables of the environment by the name of the option. */
  variables: Readonly<Record<string, StorageVariable>>
  /** The option whose variable, if set, selects the storage. Options and settings alone select none; see `storages`. */
  selectedBy: string
  /**
   * Combines options and stored settings; opens and checks nothing.
   * @param location of a stored file; without it, that of new files
   * @returns a sentence for the client if a setting is missing or invalid
   */
  connect(options: object, stored: StoredSettings, location?: string | null): RemoteConnection | string
}

/** A stored setting without whitespace around it; undefined if it is empty or not stored. */
export const storedText = (stored: StoredSettings, key: string) => stored.get(key)?.trim() || undefined

/** The path of a folder without leading and trailing slashes. */
export const withoutSlashes = (path: string) => path.replace(/^\/+|(?<!\/)\/+$/g, '')

/** `form` and `demand` of a variable that is one word. */
export const word = { form: /^[^\s]{1,500}$/, demand: 'must hold no whitespace' }

/** `form`, `demand` and `parse` of a variable that is a base URL. */
export const address = {
  form: /^https?:\/\/[^\s?#]+$/,
  demand: 'must be an http or https address without a query',
  parse: (text: string) => (URL.canParse(text) ? text.replace(/(?<!\/)\/+$/, '') : undefined),
}

/** The default of variables that settings of the shop replace, for documents. */
export const bySettings = "the shop's settings"

/** Schema of an option that is a text. */
export const textOption = Type.String({ minLength: 1, must: 'be a string that is not empty' })
/** Schema of an option that is a base URL. */
export const urlOption = httpUrl(
  '',
  'be an absolute http or https URL without credentials, query and fragment',
)
