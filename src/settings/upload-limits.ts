// The upload limits of the shop: from the master print profile, else from the settings, else the default.
import type { Database } from '../db/connect.ts'
import { masterData } from './master-profile.ts'
import type { OptionsStore } from './option-rows.ts'

export interface UploadLimits {
  /** Maximum size of a file in bytes. */
  bytes: number
  /** Pixels, and pixels per inch. A picture outside these limits is accepted with a warning. */
  picture: {
    minDpi?: number
    minWidth?: number
    minHeight?: number
    maxWidth?: number
    maxHeight?: number
  }
}

const sizeKey = 'svc_uploaded_designs_parameter_maxSize'
const MB = 1_048_576
const standardSize = 10
/** A larger number is treated as a mistake, because files are checked in memory. */
const maxSize = 256

const pictureProperties = {
  minDpi: 'minDPI',
  minWidth: 'minW',
  minHeight: 'minH',
  maxWidth: 'maxW',
  maxHeight: 'maxH',
} as const

export function uploadLimits(database: Database, options: OptionsStore): () => Promise<UploadLimits> {
  /** `customImageParameters` of the master profile; empty if there is none or it cannot be read. */
  const imageParameters = async (): Promise<object> =>
    Object((await masterData(database)).customImageParameters)

  return async () => {
    const [parameters, setting] = await Promise.all([imageParameters(), options.get(sizeKey)])
    const picture = Object.entries(pictureProperties).flatMap(([limit, property]) => {
      const value = positive(Reflect.get(parameters, property))
      return value === undefined ? [] : [[limit, value]]
    })
    return {
      // Forms store an empty field as an empty string.
      bytes: Math.floor(sizeOf(present(Reflect.get(parameters, 'maxSize')) ?? setting) * MB),
      picture: Object.fromEntries(picture),
    }
  }
}

const present = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)

/** Megabytes; the default if the value is invalid. There is always a limit. */
function sizeOf(value: unknown): number {
  const size = positive(value)
  return size !== undefined && size <= maxSize ? size : standardSize
}

/** Settings are strings; properties of a profile are numbers or strings from a form. */
function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number > 0 && Number.isFinite(number) ? number : undefined
}
