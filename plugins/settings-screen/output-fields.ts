// The form for the colors and marks of print files: its fields, and the `output` of a print profile that its entries make.
import { SvcError } from '../../src/core/errors.ts'
import { isObject } from '../../src/json/values.ts'
import { type ProfileOutput, readOutput } from '../../src/settings/master-profile.ts'

/** The entries of the form; '' leaves the choice to the options of the server. */
export type OutputEntries = Record<keyof ProfileOutput, string>

interface OutputField {
  label: string
  text: string
  /** Labels by value; undefined for a text. */
  choices?: Record<string, string>
  /** Returns the value to store for an entry that is not ''. */
  read: (entry: string) => unknown
  /** The message for an entry that `readOutput` would not read. */
  problem: string
}

const usual = 'As the server is set up'
const asText = (entry: string) => entry
const yesNo = {
  choices: { '': usual, true: 'Yes', false: 'No' },
  read: (entry: string) => entry === 'true',
}

/** By the name of the property. */
export const outputFields: Readonly<Record<keyof ProfileOutput, OutputField>> = {
  color: {
    label: 'Color',
    text: 'RGB, or PDF/X-4 in the inks of a press.',
    choices: { '': usual, rgb: 'RGB', pdfx4: 'PDF/X-4' },
    read: asText,
    problem: 'Color must be one of the choices.',
  },
  profile: {
    label: 'Output profile',
    text: 'The press and paper that colors are converted for.',
    choices: { '': usual },
    read: asText,
    problem: 'Output profile must be one of the choices.',
  },
  condition: {
    label: 'Printing condition',
    text: 'Its name in the file, such as FOGRA39.',
    read: asText,
    problem: 'Printing condition may have 100 characters.',
  },
  overprintBlack: {
    label: 'Overprint black text',
    text: 'Prints black text over the inks below it.',
    ...yesNo,
    problem: 'Overprint must be one of the choices.',
  },
  blackInk: {
    label: 'Gray as black ink',
    text: 'Which neutral grays are printed with black ink alone, without the other inks.',
    choices: { '': usual, text: 'Text and thin lines', all: 'Fills as well', none: 'None' },
    read: asText,
    problem: 'Gray as black ink must be one of the choices.',
  },
  maxInk: {
    label: 'Ink limit',
    text: 'Percent of all inks together above which there is a warning.',
    read: Number,
    problem: 'Ink limit must be a number from 1 to 400.',
  },
  marks: {
    label: 'Crop marks',
    text: 'Goes before the setting of the Export tab.',
    ...yesNo,
    problem: 'Crop marks must be one of the choices.',
  },
  mirror: {
    label: 'Mirror',
    text: 'Mirrors pages from left to right, for transfers. Goes before the setting of the Export tab.',
    ...yesNo,
    problem: 'Mirror must be one of the choices.',
  },
  outlines: {
    label: 'Text as outlines',
    text: 'Draws the text of PDFs as paths, without fonts. Goes before the setting of the Export tab.',
    ...yesNo,
    problem: 'Text as outlines must be one of the choices.',
  },
}

/** In the order of the form. */
export const outputNames = Object.keys(outputFields) as (keyof ProfileOutput)[]

/** The entries of all fields. @param entryOf returns the entry of a field */
export const entriesBy = (entryOf: (name: keyof ProfileOutput) => string) =>
  Object.fromEntries(outputNames.map((name) => [name, entryOf(name)])) as OutputEntries

/** The entries that show a stored output. */
export const entriesOf = (output: ProfileOutput) => entriesBy((name) => String(output[name] ?? ''))

/**
 * The stored output with the entries that differ from it: all other properties, and those that cannot be shown, stay.
 * @throws SvcError 400 for an entry that would not be read again
 */
export function changedOutput(stored: unknown, entries: OutputEntries): Record<string, unknown> {
  const output: Record<string, unknown> = isObject(stored) ? { ...stored } : {}
  const storedEntries = entriesOf(readOutput(stored))
  const touched = outputNames.filter((name) => entries[name] !== storedEntries[name])
  for (const name of touched) {
    if (entries[name] === '') delete output[name]
    else output[name] = outputFields[name].read(entries[name])
  }
  const readBack = entriesOf(readOutput(output))
  const refused = touched.filter((name) => readBack[name] !== entries[name])
  if (refused.length > 0)
    throw new SvcError('rest_invalid_param', {
      message: 'Some entries cannot be used.',
      errors: refused.map((name) => outputFields[name].problem),
    })
  return output
}
