// Settings whose values name something else: a layout, a font family, files of uploaded fonts.
import type { Database } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import { layoutPrefix, shownLayoutKey } from '../legacy/rows.ts'
import { fontKeys, namesIn, offeredFonts } from './offered-fonts.ts'
import type { OptionsStore } from './option-rows.ts'

/** The setting with the files of uploaded fonts that are offered. */
const [filesKey] = fontKeys
/** The setting with the font family that the designer begins with. */
const fontKey = 'svc_font'

/** What `missingReferences` reads. */
export interface ReferenceSources {
  options: OptionsStore
  database: Database
  /** Names of the uploaded font files; undefined without an uploads folder. */
  fontFiles(): Promise<readonly string[] | undefined>
}

/**
 * Checks the settings of a body that name a layout, a font or font files.
 * @returns by key what is wrong with its value, as the end of a sentence; empty if all of it exists
 */
export async function missingReferences(
  { options, database, fontFiles }: ReferenceSources,
  body: Record<string, unknown>,
): Promise<Map<string, string>> {
  const problems = new Map<string, string>()
  const { [shownLayoutKey]: layout, [fontKey]: font, [filesKey]: files } = body

  if (typeof layout === 'string' && !(await isLayout(layout)))
    problems.set(shownLayoutKey, 'must be "default" or the name of a layout; /user-interfaces lists them')

  if (typeof font === 'string' && font.trim() !== '') {
    const rows = new Map(await options.getMany([...fontKeys]))
    for (const key of fontKeys) {
      if (typeof body[key] === 'string') rows.set(key, body[key])
      else if (Array.isArray(body[key])) rows.set(key, JSON.stringify(body[key]))
    }
    const offered = new Set([...offeredFonts(rows)].map(fold))
    if (!offered.has(fold(font.trim()))) problems.set(fontKey, 'must be the family of a font that is offered')
  }

  if (Array.isArray(files) && files.length > 0) {
    const [uploaded, stored] = await Promise.all([fontFiles(), options.get(filesKey)])
    const fontNames = uploaded && new Set([...uploaded, ...namesIn(stored)])
    const missing = fontNames ? files.filter((file) => typeof file === 'string' && !fontNames.has(file)) : []
    if (missing.length > 0)
      problems.set(filesKey, `names files that were not uploaded: ${missing.slice(0, 20).join(', ')}`)
  }
  return problems

  /** Whether there is a layout with this name or id, or a legacy layout with this slug. */
  async function isLayout(name: string): Promise<boolean> {
    if (name === '' || name === 'default') return true
    if ((await options.get(layoutPrefix + name)) !== undefined) return true
    const rows = await database.db.selectFrom(database.t.user_interfaces).select(['ID', 'name']).execute()
    return rows.some(
      (row) =>
        String(row.ID) === name ||
        [row.name ?? '', slugOf(row.name ?? '')].some((candidate) => fold(candidate) === fold(name)),
    )
  }
}

/** The slug of a plain name, as `sanitize_title` of WordPress makes it. */
const slugOf = (name: string) => name.trim().replace(/[^\p{L}\p{N}_]+/gu, '-')
