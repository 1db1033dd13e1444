// The options of files for the press, checked when the server starts.
import { existsSync, readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { PressTask } from './press-colors.ts'
import type { RendererOptions } from './renderer-options.ts'

type PressOptions = Pick<RendererOptions, 'color' | 'profile' | 'condition' | 'overprintBlack' | 'maxInk'>

/** Undefined for files in RGB. @throws Error with a sentence if the profile is not one of a press */
export function pressSettings(options: PressOptions): Omit<PressTask, 'spots'> | undefined {
  const { color = 'rgb', profile, overprintBlack = false, maxInk = 300 } = options
  if (color === 'rgb') return undefined
  if (profile === undefined || !existsSync(profile))
    throw new Error('renderer.profile: must be the path of an ICC profile for the color pdfx4.')
  const { condition = basename(profile, extname(profile)) } = options
  assertOutputProfile(readFileSync(profile).subarray(0, 128))
  return { profile, condition, overprintBlack, maxInk }
}

/** The header of a profile says what it is for. */
function assertOutputProfile(header: Buffer): void {
  const at = (start: number) => header.toString('latin1', start, start + 4)
  if (at(36) !== 'acsp') throw new Error('renderer.profile: the file is not an ICC profile.')
  if (at(12) !== 'prtr' || at(16) !== 'CMYK')
    throw new Error('renderer.profile: the profile is not one of a press with the inks CMYK.')
}
