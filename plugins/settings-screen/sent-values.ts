// What a browser sends for a field, as one text, and the value that the text means. fields.ts makes the texts of stored values.
import { SvcError } from '../../src/core/errors.ts'
import { parseBody } from '../../src/http/body.ts'
import { numberOf } from '../../src/json/parse.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { shapeOf } from '../../src/settings/value.ts'
import { type Field, scalarText, setText, withCrLf } from './fields.ts'

/** The text of a field in a form; undefined if the form does not contain it, or it cannot be edited. @param values under its key */
export function sentFor({ kind }: Field, values: readonly string[] | undefined): string | undefined {
  if (!values || kind === 'token' || kind === 'fixed') return undefined
  // An empty value next to the checkboxes distinguishes a form without a tick from one without the field.
  if (kind === 'choices') return setText(values.filter((value) => value !== ''))
  return withCrLf(values.at(-1) ?? '')
}

/** The value that a text means. A text that means none is returned as it is, for the validation of settings to refuse. */
export function parsedValue({ kind, setting, value }: Field, sent: string): unknown {
  const stored: unknown[] = Array.isArray(value) ? value : []
  switch (kind) {
    case 'flag':
      return sent === 'yes' || (sent === 'no' ? false : sent)
    case 'choices': {
      const ticked = new Set(sent === '' ? [] : sent.split('\r\n'))
      const storedItems = stored.filter((item) => ticked.delete(scalarText(item)))
      const positions = new Map(setting.choices?.map((choice, position) => [choice, position]))
      const positionOf = (item: string) => positions.get(item) ?? positions.size
      return [...storedItems, ...[...ticked].sort((a, b) => positionOf(a) - positionOf(b))]
    }
    case 'lines': {
      const lines = sent.split('\r\n').map((line) => line.trim())
      return withTypes(
        lines.filter((line) => line !== ''),
        stored,
      )
    }
    case 'json':
      return jsonIn(sent)
    default:
      if (shapeOf(setting) === 'number') return numberIn(sent.trim(), setting)
      return typeof value === 'string' && value.includes('\r\n') ? sent : sent.replaceAll('\r\n', '\n')
  }
}

/** The items of a list. Stored items keep their types: those that are numbers stay numbers. */
function withTypes(lines: readonly string[], stored: readonly unknown[]): unknown[] {
  const storedByText = Map.groupBy(stored, scalarText)
  return lines.map((line) => storedByText.get(line)?.shift() ?? line)
}

function numberIn(text: string, setting: Setting): unknown {
  if (text === '' && setting.default === null) return null
  const plain = text.replace(/^\+/, '').replace(/^(-?)\./, '$10.')
  const value = /^-?[\d.eE+-]+$/.test(plain) ? jsonIn(plain) : text
  return numberOf(value) === undefined ? text : value
}

/** The problem with a text that should be JSON and is not, which validation would call a string; undefined for any other text. */
export function problemIn({ kind }: Field, sent: string): string | undefined {
  return kind === 'json' && typeof jsonIn(sent) === 'string' && !/^\s*"/.test(sent)
    ? 'is not valid JSON'
    : undefined
}

/** The value as the API reads it from a body; the text itself if the API would refuse it. */
function jsonIn(text: string): unknown {
  try {
    return parseBody(Buffer.from(text))
  } catch (error) {
    if (error instanceof SvcError) return text
    throw error
  }
}
