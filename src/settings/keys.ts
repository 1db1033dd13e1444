// Which option keys the settings routes may read and write, and which belong to other routes.
import { invalidParams } from '../core/errors.ts'
import { isStorageKey } from '../storage/remote-storages.ts'
import type { Setting } from './setting.ts'

/** Maximum length of `option_name` in the CMS, in characters. */
const maxLength = 191

/** Whether this is an option key of this product: `svc_` and at least one more character. */
export function isSettingKey(key: string): boolean {
  return key.length <= maxLength && /^svc_[A-Za-z0-9_.:-]+$/.test(key)
}

/** Lists that are neither read nor written as settings, with the routes that do so. */
const dedicatedRoutes: Record<string, string> = {
  svc_text_templates: '/text-templates',
  svc_color_library: '/color-library',
}

/** The route to use instead of the settings, for the two keys that cannot even be read there. */
export const dedicatedRoute = (key: string): string | undefined =>
  Object.hasOwn(dedicatedRoutes, key) ? dedicatedRoutes[key] : undefined

/** What writes this row instead of the settings: a route such as `/pricing-rules`, or `this API`; undefined for a setting. */
export function rowWriter(key: string): string | undefined {
  if (dedicatedRoute(key)) return dedicatedRoute(key)
  // The collation of the options table ignores case: svc_GUARD_x would be the row of svc_guard_x.
  const folded = key.toLowerCase()
  if (folded === 'svc_pr_groups') return '/pricing-rules'
  if (folded.startsWith('svc_ui_layout_')) return '/user-interfaces'
  return internalRow.test(folded) ? 'this API' : undefined
}

/** Rows in which this API stores locks, progress and keys; see `storeProgress` and `guardOf`. */
const internalRow =
  /^svc_(?:guard_.*|imported|fonts_unfinished|etag_key|auto_print_progress|print_jobs_linked|order_index_.*)$/

/**
 * Whether this value is the default of a setting whose missing row means more than its default. Without a row,
 * `svc_common_fonts` reads as "" but offers the five fonts of a fresh installation; a stored "" offers none. So the ""
 * that was read is not stored when it comes back.
 */
export const isUnsetDefault = (key: string, value: unknown) => key === 'svc_common_fonts' && value === ''

/**
 * Whether the setting decides where files, credentials and the mails about orders go. Like secrets, such settings are changed
 * with all rights only: a user who may write settings must not redirect print files to a storage, or customers' names to a
 * mailbox, or their logins to an app, of their own.
 */
export const isDestination = (key: string) =>
  isStorageKey(key.toLowerCase()) ||
  /^svc_(?:pro_export_webhook_url|shortcode_order_mail_addresses|instagram_.*)$/i.test(key)

/** Whether the name suggests that the value is secret: licences, add-ons and other plugins store their secrets under such names. */
export const namesSecret = (key: string) =>
  /secret|token|passw|passphrase|credential|api_?key|private_?key|licen[cs]e|purchase_code|_(?:keys?|pass|pwd|auth|bearer|dsn|salt)(?:_?\d+)?$/i.test(
    key,
  )

/** Whether the value under this key is never shown: as its setting says, or else its name suggests. */
export const isSecret = (key: string, setting: Setting | undefined): boolean =>
  setting ? setting.secret === true || setting.type === 'password' : namesSecret(key)

/** Why the settings routes cannot write this key, as the end of a sentence about it; undefined if they can. */
export function keyProblem(key: string): string | undefined {
  if (!key.startsWith('svc_')) return 'does not start with svc_'
  if (!isSettingKey(key))
    return 'is not a setting key: letters, digits, "_", "-", "." and ":" may follow svc_'
  const writer = rowWriter(key)
  if (!writer) return undefined
  return writer.startsWith('/') ? `cannot be written here; use ${writer}` : 'belongs to this API itself'
}

function readProblem(key: string): string | undefined {
  if (!isSettingKey(key)) return keyProblem(key)
  const route = dedicatedRoute(key)
  return route && `cannot be read here; use ${route}`
}

/** @throws SvcError 400 with all problems */
export const assertReadable = (keys: readonly string[]): void =>
  assertNoProblems(keys.map((key) => [key, readProblem(key)]))

/** @throws SvcError 400 with all problems */
export function assertNoProblems(problems: (readonly [key: string, problem: string | undefined])[]): void {
  const bad = problems.filter((entry): entry is readonly [string, string] => entry[1] !== undefined)
  if (bad.length > 0) throw invalidParams(Object.fromEntries(bad))
}
