// How the master print profile wants print files: `output` in its data. Others may have stored anything.
import type { Database } from '../db/connect.ts'
import { masterData } from './master-profile.ts'

export interface ProfileOutput {
  color?: 'rgb' | 'pdfx4'
  /** Name of an output profile of the host, never a path. */
  profile?: string
  /** Name of the printing condition. */
  condition?: string
  overprintBlack?: boolean
  /** Percent of all inks together above which a warning is given. */
  maxInk?: number
  /** Crop marks. */
  marks?: boolean
}

const maxName = 100

export const profileOutput = (database: Database) => async (): Promise<ProfileOutput> =>
  readOutput((await masterData(database)).output)

/** What is missing or of another type is not said. */
export function readOutput(output: unknown): ProfileOutput {
  const { color, profile, condition, overprintBlack, maxInk, marks } = Object(output)
  const isName = (text: unknown): text is string =>
    typeof text === 'string' && text !== '' && text.length <= maxName
  const percent = typeof maxInk === 'string' && maxInk.trim() !== '' ? Number(maxInk) : maxInk
  return {
    ...((color === 'rgb' || color === 'pdfx4') && { color }),
    ...(isName(profile) && { profile }),
    ...(isName(condition) && { condition }),
    ...(typeof overprintBlack === 'boolean' && { overprintBlack }),
    ...(typeof percent === 'number' && percent >= 1 && percent <= 400 && { maxInk: percent }),
    ...(typeof marks === 'boolean' && { marks }),
  }
}
