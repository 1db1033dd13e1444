// The form for the colors and marks of print files.
import { type Html, html } from '../../src/pages/html.ts'
import { choices, postForm, section } from '../../src/pages/parts.ts'
import type { ProfileOutput } from '../../src/settings/master-profile.ts'
import { labelled, saveButton } from './controls.ts'

/** What the form contains; '' leaves it to the options of the server. */
export type OutputEntries = Record<keyof ProfileOutput, string>

interface OutputField {
  label: string
  text: string
  /** Words by value; undefined for a text. */
  choices?: Record<string, string>
  read: (entry: string) => unknown
  /** What is said of an entry that cannot be used. */
  problem: string
}

const usual = 'As the server is set up'
const asText = (entry: string) => entry
const yesNo = {
  choices: { '': usual, true: 'Yes', false: 'No' },
  read: (entry: string) => entry === 'true',
}

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
}

/** In the order of the form. */
export const outputNames = Object.keys(outputFields) as (keyof ProfileOutput)[]

interface View {
  /** Name of the master print profile. */
  name: string
  entries: OutputEntries
  /** Names of output profiles. */
  profiles: readonly string[]
  isForPress: boolean
  /** Token of the form, and tag of the profile that it was opened with. */
  opened: { _form: string; _state: string }
  notice: Html | undefined
}

export function outputPage({ name, entries, profiles, isForPress, opened, notice }: View): Html {
  const fields = outputNames.map((id) => {
    const { label, text, choices } = outputFields[id]
    const own = id === 'profile' ? Object.fromEntries(profiles.map((one) => [one, one])) : {}
    const words = choices && { ...choices, ...own }
    return labelled({ id, label, text }, (about) => control(id, about, entries[id], words))
  })
  return html`
${notice}
<p>How print files are made, as the master print profile <strong>${name}</strong> says.</p>
${!isForPress && html`<p class="remark">No color profile of a press is installed on this server, so files are in RGB.</p>`}
${postForm('edit-print-output', opened, [section('output', 'Color and marks', fields), saveButton], { look: 'settings' })}`
}

function control(id: string, about: Html, entry: string, words: Record<string, string> | undefined): Html {
  if (words) return html`<select id="${id}" name="${id}" ${about}>${choices(words, entry)}</select>`
  return html`<input type="text" id="${id}" name="${id}" ${about}${id === 'maxInk' && html` class="short" inputmode="numeric"`} value="${entry}" maxlength="100" autocomplete="off" spellcheck="false">`
}
