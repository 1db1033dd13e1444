// The options of files for the press, checked when the server starts; and what a print profile makes of them.
import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { PressTask } from './press-colors.ts'
import { shown, Undrawable } from './refusal.ts'
import type { RendererOptions } from './renderer-options.ts'

type PressOptions = Pick<
  RendererOptions,
  'color' | 'profile' | 'profiles' | 'condition' | 'overprintBlack' | 'blackInk' | 'maxInk'
>
type Press = Omit<PressTask, 'spots'>

/** What a print profile may say instead of the options of the host. */
export interface OutputSettings extends Omit<PressOptions, 'profiles' | 'profile'> {
  /** One of the names in `profiles`. */
  profile?: string
  /** Crop marks. */
  marks?: boolean
}

/** Undefined for files in RGB. @throws Error with a sentence if the profile is not one of a press */
export function pressSettings(options: PressOptions): Press | undefined {
  const { color = 'rgb', profile, profiles = {} } = options
  for (const [name, path] of Object.entries(profiles)) assertPress(path, `renderer.profiles.${name}`)
  if (color === 'pdfx4' && profile === undefined)
    throw new Error('renderer.profile: must be the path of an ICC profile for the color pdfx4.')
  if (profile !== undefined) assertPress(profile, 'renderer.profile')
  return profile === undefined || color === 'rgb' ? undefined : pressOf(profile, options)
}

function pressOf(profile: string, options: PressOptions): Press {
  const { condition = basename(profile, extname(profile)) } = options
  const { overprintBlack = false, blackInk = 'text', maxInk = 300 } = options
  return { profile, condition, overprintBlack, blackInk, maxInk }
}

/**
 * Undefined for files in RGB.
 * @throws Undrawable if the print profile names no output profile of the host
 */
export function pressFor(settings: OutputSettings, options: PressOptions): Press | undefined {
  const { profile: name, marks: _unused, ...others } = settings
  const { color = name === undefined ? options.color : 'pdfx4' } = settings
  if (color !== 'pdfx4') return undefined
  const { profiles = {} } = options
  const named = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (name !== undefined && named === undefined)
    throw new Undrawable(
      'page',
      `The print profile names the output profile ${shown(name)}, which the option renderer.profiles does not hold.`,
    )
  const path = named ?? options.profile
  if (path === undefined)
    throw new Undrawable('page', 'The print profile asks for PDF/X-4 and names no output profile.')
  const namedOptions = name === undefined ? options : { ...options, condition: name }
  return pressOf(path, { ...namedOptions, ...others })
}

function assertPress(path: string, option: string): void {
  // A pipe would be waited for.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new Error(`${option}: must be the path of an ICC profile.`)
  // The header of a profile says what it is for.
  const bytes = readFileSync(path)
  const at = (start: number) => bytes.toString('latin1', start, start + 4)
  if (at(36) !== 'acsp') throw new Error(`${option}: the file is not an ICC profile.`)
  if (bytes.length < tagsAt || bytes.readUInt32BE(0) > bytes.length)
    throw new Error(`${option}: the file is not a whole ICC profile.`)
  if (at(12) !== 'prtr' || at(16) !== 'CMYK')
    throw new Error(`${option}: the profile is not one of a press with the inks CMYK.`)
  // Without them, pictures would silently be converted by another profile.
  if (!hasTable(bytes, 'A2B0') || !hasTable(bytes, 'B2A0'))
    throw new Error(`${option}: the tables of the profile are missing or damaged.`)
}

/** Where the entries of the tags begin, after the header and their count. */
const tagsAt = 132
const tagLength = 12

/** Whether the profile has a table that converts colors under this tag. */
function hasTable(bytes: Buffer, tag: string): boolean {
  const text = (at: number) => bytes.toString('latin1', at, at + 4)
  const end = Math.min(tagsAt + tagLength * bytes.readUInt32BE(tagsAt - 4), bytes.length - tagLength)
  for (let at = tagsAt; at < end; at += tagLength) {
    if (text(at) === tag) return /^(?:mft[12]|mAB |mBA )$/.test(text(bytes.readUInt32BE(at + 4)))
  }
  return false
}
