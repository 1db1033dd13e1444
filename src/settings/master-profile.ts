// What the master print profile decides: the color and finishing of print files, and the limits of uploads.
import { membersOf } from '../core/foreign.ts'
import type { Database } from '../db/connect.ts'
import { flaggedRows } from '../db/flagged-rows.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import type { OptionsStore } from './option-rows.ts'

/** Name and data of the master print profile; both empty if there is none, the data also if it cannot be read. */
async function masterProfile(database: Database): Promise<{ name: string; data: Record<string, unknown> }> {
  const profiles = flaggedRows(database, 'print_profiles')
  const row = await profiles.read((await profiles.flaggedId()) ?? 0)
  const data = membersOf(fromJson(readStoredJson(row?.data ?? null, '{}') ?? '{}'))
  return { name: row?.name ?? '', data }
}

/** `output` in the data of the profile. Other writers may have stored anything there. */
export interface ProfileOutput {
  color?: 'rgb' | 'pdfx4'
  /** Name of an output profile of the host, never a path. */
  profile?: string
  /** Name of the printing condition. */
  condition?: string
  overprintBlack?: boolean
  /** Which neutral grays black ink alone prints. */
  blackInk?: 'text' | 'all' | 'none'
  /** Percent of all inks together above which a warning is given. */
  maxInk?: number
  /** Crop marks. */
  marks?: boolean
  /** Pages are mirrored from left to right. */
  mirror?: boolean
  /** Text is drawn as paths, without fonts. */
  outlines?: boolean
}

/** Characters of the name of an output profile or of a printing condition. */
const maxName = 100

/** Reads what the master profile decides of print files; empty if there is no master. */
export const profileOutput = (database: Database) => async (): Promise<ProfileOutput> =>
  readOutput((await masterProfile(database)).data.output)

/** Reads `output` of a profile. Properties that are missing or have another type are left out. */
export function readOutput(output: unknown): ProfileOutput {
  const { color, profile, condition, overprintBlack, blackInk, maxInk, marks, mirror, outlines } =
    membersOf(output)
  const isName = (text: unknown): text is string =>
    typeof text === 'string' && text !== '' && text.length <= maxName
  const percent = typeof maxInk === 'string' && maxInk.trim() !== '' ? Number(maxInk) : maxInk
  return {
    ...((color === 'rgb' || color === 'pdfx4') && { color }),
    ...(isName(profile) && { profile }),
    ...(isName(condition) && { condition }),
    ...(typeof overprintBlack === 'boolean' && { overprintBlack }),
    ...((blackInk === 'text' || blackInk === 'all' || blackInk === 'none') && { blackInk }),
    ...(typeof percent === 'number' && percent >= 1 && percent <= 400 && { maxInk: percent }),
    ...(typeof marks === 'boolean' && { marks }),
    ...(typeof mirror === 'boolean' && { mirror }),
    ...(typeof outlines === 'boolean' && { outlines }),
  }
}

/** The limits of uploads: those of the master print profile, else of the settings, else the default. */
export interface UploadLimits {
  /** Maximum size of a file in bytes. */
  bytes: number
  /** Name of the master print profile, if it sets the size. */
  profile?: string
  /** Pixels, and pixels per inch. A picture outside these limits is accepted with a warning. */
  picture: Partial<Record<keyof typeof pictureProperties, number>>
}

/** Key of the setting of the maximum size of uploads in megabytes. */
export const uploadSizeKey = 'svc_uploaded_designs_parameter_maxSize'
/** Bytes of a megabyte, as settings and profiles count it. */
export const MB = 1_048_576
/** Megabytes, if neither the profile nor the setting has a valid number. */
const standardSize = 10
/** Megabytes. A larger number is treated as a mistake, because files are checked in memory. */
const maxSize = 256

/** The names that the profile has for the limits of a picture. */
const pictureProperties = {
  minDpi: 'minDPI',
  minWidth: 'minW',
  minHeight: 'minH',
  maxWidth: 'maxW',
  maxHeight: 'maxH',
} as const

/** Reads the limits of uploads from the master profile and the settings. */
export function uploadLimits(database: Database, options: OptionsStore): () => Promise<UploadLimits> {
  return async () => {
    const [master, setting] = await Promise.all([masterProfile(database), options.get(uploadSizeKey)])
    const parameters = membersOf(master.data.customImageParameters)
    // Forms store an empty field as an empty string.
    const size = nonEmpty(membersOf(parameters).maxSize) ?? undefined
    const picture = Object.entries(pictureProperties).flatMap(([limit, property]) => {
      const value = positive(membersOf(parameters)[property])
      return value === undefined ? [] : [[limit, value]]
    })
    return {
      bytes: Math.floor(sizeOf(size ?? setting) * MB),
      ...(size !== undefined && { profile: master.name }),
      picture: Object.fromEntries(picture),
    }
  }
}

/** The value; undefined for an empty text. */
const nonEmpty = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)

/** Megabytes; the default if the value is invalid. There is always a limit. */
function sizeOf(value: unknown): number {
  const size = positive(value)
  return size !== undefined && size <= maxSize ? size : standardSize
}

/** The number; undefined if it is none above 0. Settings are strings; properties of a profile are numbers or strings from a form. */
function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number > 0 && Number.isFinite(number) ? number : undefined
}
