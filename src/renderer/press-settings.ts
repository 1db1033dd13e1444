// Decides how files are made for the press: checks the options of the host when the server starts, and combines them with the settings
// of a print profile before each print.
import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { PressTask } from './press-colors.ts'
import { quoted, Undrawable } from './refusal.ts'
import type { RendererOptions } from './renderer-options.ts'

type PressOptions = Pick<
  RendererOptions,
  'color' | 'profile' | 'profiles' | 'condition' | 'overprintBlack' | 'blackInk' | 'maxInk'
>
type Press = Omit<PressTask, 'spots'>

/** The settings `data.output` of a print profile, which take precedence over the options of the host. */
export interface OutputSettings extends Omit<PressOptions, 'profiles' | 'profile'> {
  /** One of the names in `profiles`. */
  profile?: string
  /** Whether crop marks are drawn; `createRenderer` reads it. */
  marks?: boolean
}

/**
 * How files are made for the press by the options alone; undefined for files in RGB.
 * @throws Error with a sentence for an invalid or missing profile, also for one of `profiles` that only print profiles choose
 */
export function pressSettings(options: PressOptions): Press | undefined {
  const { color = 'rgb', profile, profiles = {} } = options
  for (const [name, path] of Object.entries(profiles)) assertPress(path, `renderer.profiles.${name}`)
  if (color === 'pdfx4' && profile === undefined)
    throw new Error('renderer.profile: must be the path of an ICC profile for the color pdfx4.')
  if (profile !== undefined) assertPress(profile, 'renderer.profile')
  return profile === undefined || color === 'rgb' ? undefined : pressWithDefaults(profile, options)
}

/** The settings with their defaults. @param profile the path of the output profile */
function pressWithDefaults(profile: string, options: PressOptions): Press {
  const { condition = basename(profile, extname(profile)) } = options
  const { overprintBlack = false, blackInk = 'text', maxInk = 300 } = options
  return { profile, condition, overprintBlack, blackInk, maxInk }
}

/**
 * How files are made for the press by the settings of a print profile; undefined for files in RGB.
 * @throws Undrawable if it asks for PDF/X-4 and the host does not have its output profile
 */
export function pressFor(settings: OutputSettings, options: PressOptions): Press | undefined {
  const { profile: name, marks: _unused, ...overrides } = settings
  // A print profile that names an output profile asks for PDF/X-4.
  const { color = name === undefined ? options.color : 'pdfx4' } = settings
  if (color !== 'pdfx4') return undefined
  const { profiles = {} } = options
  const named = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (name !== undefined && named === undefined)
    throw new Undrawable(
      'page',
      `The print profile names the output profile ${quoted(name)}, which the option renderer.profiles does not hold.`,
    )
  const path = named ?? options.profile
  if (path === undefined)
    throw new Undrawable('page', 'The print profile asks for PDF/X-4 and names no output profile.')
  // The condition of the options belongs to their own profile.
  const namedOptions = name === undefined ? options : { ...options, condition: name }
  return pressWithDefaults(path, { ...namedOptions, ...overrides })
}

/** Throws Error unless the file is an output profile of a press with CMYK (ICC.1:2010 §7). @param option its name for the message */
function assertPress(path: string, option: string): void {
  // Reading a pipe would wait for its writer.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new Error(`${option}: must be the path of an ICC profile.`)
  const bytes = readFileSync(path)
  /** A signature of four characters in the header. */
  const signature = (offset: number) => bytes.toString('latin1', offset, offset + 4)
  if (signature(36) !== 'acsp') throw new Error(`${option}: the file is not an ICC profile.`)
  if (bytes.length < tagsOffset || bytes.readUInt32BE(0) > bytes.length)
    throw new Error(`${option}: the file is not a whole ICC profile.`)
  if (signature(12) !== 'prtr' || signature(16) !== 'CMYK')
    throw new Error(`${option}: the profile is not one of a press with the inks CMYK.`)
  // Without them, pictures would silently be converted by another profile.
  if (!hasTable(bytes, 'A2B0') || !hasTable(bytes, 'B2A0'))
    throw new Error(`${option}: the tables of the profile are missing or damaged.`)
}

/** The offset of the entries of the tag table, after the header and their count. */
const tagsOffset = 132
/** Bytes of an entry: signature, offset and size of a tag. */
const tagLength = 12

/** Whether the profile has a table that converts colors under this tag. */
function hasTable(bytes: Buffer, tag: string): boolean {
  const signature = (offset: number) => bytes.toString('latin1', offset, offset + 4)
  const count = bytes.readUInt32BE(tagsOffset - 4)
  const end = Math.min(tagsOffset + tagLength * count, bytes.length - tagLength)
  for (let entry = tagsOffset; entry < end; entry += tagLength) {
    if (signature(entry) === tag)
      return /^(?:mft[12]|mAB |mBA )$/.test(signature(bytes.readUInt32BE(entry + 4)))
  }
  return false
}
