// The list of text templates: one option row, changed by compare-and-swap only.
import type { Columns } from '../../src/db/column-limits.ts'
import { stateTag } from '../../src/db/state-tag.ts'
import { invalidParams, SvcError, unreadableValue } from '../../src/errors.ts'
import type { Check } from '../../src/http/patch.ts'
import { fontKeys, offeredFonts } from '../../src/options/offered-fonts.ts'
import type { OptionsStore } from '../../src/options/store.ts'
import {
  changedEntry,
  readTemplates,
  type StoredTemplate,
  type TextTemplate,
  templateDefaults,
  templateOf,
  templatesKey,
} from '../../src/options/text-templates.ts'
import type { ListedTemplate, NewTextTemplate, TextTemplatePatch } from './schema.ts'

export interface NumberedTemplate extends TextTemplate {
  index: number
}

/** One template; its state is that of the whole list, because a shift of positions changes what an index means. */
export interface FoundTemplate {
  resource: NumberedTemplate
  state: string
  unreadable: never[]
}

export interface TemplateList {
  templates: NumberedTemplate[]
  state: string
}

const numbered = (entry: StoredTemplate, index: number): NumberedTemplate => ({ index, ...templateOf(entry) })

/** Requests with an Idempotency-Key are remembered by ids, which start at 1; a replay finds what stands there by then. */
export const idOf = (index: number): number => index + 1
export const indexOf = (id: number): number => id - 1

/** @param table physical name of the options table, for the error about a list that cannot be read */
export function textTemplatesRepository(options: OptionsStore, columns: Columns, table: string) {
  function entriesOf(stored: string | undefined): StoredTemplate[] {
    const entries = readTemplates(stored)
    if (!entries) throw unreadableValue({ table, row: templatesKey, column: 'option_value' })
    return entries
  }

  function listOf(stored: string | undefined): TemplateList {
    return { templates: entriesOf(stored).map(numbered), state: stateTag(stored) }
  }

  function found({ templates, state }: TemplateList, index: number): FoundTemplate | undefined {
    const resource = templates[index]
    return resource && { resource, state, unreadable: [] }
  }

  /** Reads, changes and swaps; `work` may run several times, each time with the entries as they are then. */
  async function write(
    work: (
      entries: StoredTemplate[],
      fonts: Set<string>,
      state: string,
    ) => StoredTemplate[] | undefined | Promise<StoredTemplate[] | undefined>,
    { read = entriesOf, made }: { read?: typeof entriesOf; made?: () => unknown } = {},
  ): Promise<TemplateList> {
    const stored = await options.update(
      templatesKey,
      async (stored, beside) => {
        const next = await work(read(stored), offeredFonts(beside), stateTag(stored))
        return next && columns.json('options', 'option_value', 'templates', next)
      },
      { beside: fontKeys, ...(made && { made }) },
    )
    return listOf(stored)
  }

  return {
    list: async () => listOf(await options.get(templatesKey)),

    find: async (index: number) => found(listOf(await options.get(templatesKey)), index),

    /** @throws SvcError 422 for a font that is not offered */
    async create(template: NewTextTemplate): Promise<FoundTemplate | undefined> {
      let index = 0
      const list = await write(
        (entries, fonts) => {
          refuse(problemsOf(template, fonts))
          index = entries.length
          return [...entries, newEntry(template)]
        },
        { made: () => ({ resource: { id: idOf(index) } }) },
      )
      return found(list, index)
    },

    /** Replaces the list; an item with `index` continues that entry and keeps what we do not know of it. */
    replace(items: ListedTemplate[], check?: (state: string) => void): Promise<TemplateList> {
      assertPositions(items)
      return write(
        (entries, fonts, state) => {
          check?.(state)
          const missing = items.filter(({ index }) => index !== undefined && index >= entries.length)
          if (missing.length > 0) {
            throw invalidParams({
              templates: `has items whose index is not in the list: ${missing.map(({ index }) => index).join(', ')}`,
            })
          }
          const known = ({ index }: ListedTemplate) => (index === undefined ? undefined : entries[index])
          const blank = items.findIndex((item) => isNewBlank(item, known(item)))
          if (blank >= 0) {
            throw invalidParams({
              templates: `has a problem at [${blank}].text: it must not be only whitespace`,
            })
          }
          const stored = new Set(entries.map((entry) => identityOf(templateOf(entry))))
          const isStored = (item: ListedTemplate) => stored.has(identityOf({ ...templateDefaults, ...item }))
          refuse(
            items.flatMap((item, at) =>
              problemsOf(item, isStored(item) ? undefined : fonts, known(item)).map(
                (problem) => `templates[${at}].${problem}`,
              ),
            ),
          )
          return items.map((item) => newEntry(item, known(item)))
        },
        // What cannot be read is replaced as a whole.
        { read: (stored) => readTemplates(stored) ?? [] },
      )
    },

    /** @throws SvcError 422 for a font that is not offered; what `check` throws */
    async update(
      index: number,
      changes: TextTemplatePatch,
      check?: Check,
    ): Promise<FoundTemplate | undefined> {
      const list = await write(async (entries, fonts, state) => {
        if (index >= entries.length) return undefined
        const entry = entries[index]
        await check?.({ resource: numbered(entry, index), state })
        refuse(problemsOf(changes, fonts, entry))
        return entries.with(index, changedEntry(entry, changes))
      })
      return found(list, index)
    },

    /** Removes the template, whose followers move up; false when there is none at this position. */
    async remove(index: number, check?: Check): Promise<boolean> {
      let removed = false
      await write(async (entries, _fonts, state) => {
        removed = index < entries.length
        if (!removed) return undefined
        await check?.({ resource: numbered(entries[index], index), state })
        return entries.toSpliced(index, 1)
      })
      return removed
    },
  }
}

function newEntry(template: NewTextTemplate, known: StoredTemplate = {}): StoredTemplate {
  const { text, font_family, font_size, text_align } = template
  const given = { text, font_family, font_size, text_align }
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return changedEntry(known, { ...templateDefaults, ...changes })
}

function assertPositions(items: ListedTemplate[]): void {
  const positions = items.map(({ index }) => index).filter((index) => index !== undefined)
  const seen = new Set<number>()
  const twice = positions.filter((index) => seen.size === seen.add(index).size)
  if (twice.length === 0) return
  throw invalidParams({ templates: `has several items with the index ${[...new Set(twice)].join(', ')}` })
}

/** A text of blanks stays where PHP has left it, and nobody can add one. */
const isNewBlank = ({ text }: ListedTemplate, entry: StoredTemplate | undefined) =>
  text.trim() === '' && (entry === undefined || templateOf(entry).text !== text)

/** Equal for templates that are equal in all that this API knows of them. */
const identityOf = ({ text, font_family, font_size, text_align }: TextTemplate) =>
  JSON.stringify([text, font_family, font_size, text_align])

/**
 * A font is offered, or the template had it already: what was read can be sent back. PHP cannot read half a letter.
 * @param fonts those that are offered; undefined where any will do
 */
function problemsOf(
  item: TextTemplatePatch,
  fonts: ReadonlySet<string> | undefined,
  entry?: StoredTemplate,
): string[] {
  const { text = '', font_family = '' } = item
  const offered =
    font_family === '' ||
    !fonts ||
    fonts.has(font_family) ||
    (entry !== undefined && templateOf(entry).font_family === font_family)
  return [
    ...(offered ? [] : [`font_family: the font "${font_family}" is not offered.`]),
    ...(text.isWellFormed() ? [] : ['text must not contain a lone surrogate.']),
  ]
}

function refuse(errors: string[]): void {
  if (errors.length > 0)
    throw new SvcError('svc_text_template_invalid', { message: errors.join(' '), errors })
}
