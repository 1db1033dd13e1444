// Finds where a font family is used: in designs, text templates and the setting of the default font.
import type { Database } from '../db/connect.ts'
import { encodingSafePart, jsonForm } from './usage-scans.ts'
import { type Usages, usageSearch } from './usage-search.ts'

const defaultFont = 'svc_font'

/** Returns a function that finds the usages of a family. @param options reads the stored value of a setting */
export function fontUsages(
  database: Database,
  options: { get(key: string): Promise<string | undefined> },
): (family: string) => Promise<Usages> {
  const search = usageSearch(database)
  return async (family) => {
    const forms = [family, jsonForm(family)].flatMap((name) => [
      `fontFamily":"${name}"`,
      `fontFamily": "${name}"`,
    ])
    // `name` is searched first, since it is the same in every encoding of the text; a row counts if it has one of the forms.
    const usages = await search({ name: encodingSafePart(family), forms: [...new Set(forms)] })
    const isDefault = (await options.get(defaultFont)) === family
    return isDefault ? { ...usages, settings: [defaultFont, ...usages.settings] } : usages
  }
}
