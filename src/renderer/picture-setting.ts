// How many megapixels a picture may have: the setting of the shop, within the limit of the host.
import { standardMegapixels } from '../files/picture/limits.ts'
import type { OptionsStore } from '../settings/option-rows.ts'

const pictureSetting = 'svc_picture_megapixels'

/**
 * Returns a function that reads how many megapixels a picture may have when it is uploaded or printed.
 * @param limit the option of the host, which the setting cannot exceed
 */
export const maxMegapixels =
  (options: OptionsStore, limit = standardMegapixels) =>
  async (): Promise<number> => {
    const stored = Number(await options.get(pictureSetting))
    // Without the setting, and for a stored value outside of its range, the limit of the host applies.
    return stored >= 1 ? Math.min(stored, limit) : limit
  }
