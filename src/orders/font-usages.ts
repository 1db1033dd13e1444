// Where a font family is used: designs, text templates and the setting of the default font that name it.
import type { Database } from '../db/connect.ts'
import { inJson, lastingPart } from './usage-scans.ts'
import { type Usages, usageSearch } from './usage-search.ts'

const defaultFont = 'svc_font'

/** @param options reads the stored value of a setting */
export function fontUsages(
  database: Database,
  options: { get(key: string): Promise<string | undefined> },
): (family: string) => Promise<Usages> {
  const search = usageSearch(database)
  return async (family) => {
    const forms = [family, inJson(family)].flatMap((name) => [
      `fontFamily":"${name}"`,
      `fontFamily": "${name}"`,
    ])
    const usages = await search({ name: lastingPart(family), forms: [...new Set(forms)] })
    const isDefault = (await options.get(defaultFont)) === family
    return isDefault ? { ...usages, settings: [defaultFont, ...usages.settings] } : usages
  }
}
