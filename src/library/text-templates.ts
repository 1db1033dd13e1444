// The list of text templates: one option row, which changes only by compare-and-swap.
import type { NotedChange } from '../core/change.ts'
import { invalidParams, SvcError, unreadableValue } from '../core/errors.ts'
import { type Check, type Found, readBack, type Write, type Written } from '../core/resource.ts'
import type { Encoder } from '../db/encoder.ts'
import { stateTag } from '../db/state-tag.ts'
import { fontKeys, offeredFonts } from '../settings/offered-fonts.ts'
import type { OptionsStore, Swap } from '../settings/option-rows.ts'
import {
  changedEntry,
  readTemplates,
  type StoredTemplate,
  type TextTemplate,
  templateDefaults,
  templateOf,
  templatesKey,
} from './stored-templates.ts'

type TextTemplatePatch = Partial<TextTemplate>

type NewTextTemplate = TextTemplatePatch & { text: string }

/** A template of a whole list, which may continue the one that is stored at `index`. */
type ListedTemplate = NewTextTemplate & { index?: number }

interface NumberedTemplate extends TextTemplate {
  index: number
}

/** One template with the state of the whole list, because a shift of positions changes what an index means. */
type FoundTemplate = Found<NumberedTemplate>

interface TemplateList {
  templates: NumberedTemplate[]
  state: string
}

const numbered = (entry: StoredTemplate, index: number): NumberedTemplate => ({ index, ...templateOf(entry) })

/** @param table physical name of the options table, for the error about an unreadable list */
export function textTemplatesRepository(options: OptionsStore, encoder: Encoder, table: string) {
  function entriesOf(stored: string | undefined): StoredTemplate[] {
    const entries = readTemplates(stored)
    if (!entries) throw unreadableValue({ table, row: templatesKey, column: 'option_value' })
    return entries
  }

  function listOf(stored: string | undefined): TemplateList {
    return { templates: entriesOf(stored).map(numbered), state: stateTag(stored) }
  }

  /** Reads, changes and swaps. `work` may run several times, each time with the current entries. */
  async function write(
    work: (
      entries: StoredTemplate[],
      fonts: Set<string>,
      state: string,
    ) => StoredTemplate[] | undefined | Promise<StoredTemplate[] | undefined>,
    noted: () => Pick<NotedChange, 'action' | 'id'>,
    { read = entriesOf, remember }: { read?: typeof entriesOf; remember?: Swap['remember'] } = {},
  ): Promise<TemplateList> {
    let before: string | undefined
    const stored = await options.update(
      templatesKey,
      async (stored, beside) => {
        before = stateTag(stored)
        const next = await work(read(stored), offeredFonts(beside), before)
        return next && encoder.json('options', 'option_value', 'templates', next)
      },
      {
        beside: fontKeys,
        remember,
        noted: (next) => ({ resource: 'text_template', ...noted(), before, after: stateTag(next) }),
      },
    )
    return listOf(stored)
  }

  return {
    list: async () => listOf(await options.get(templatesKey)),

    find: async (index: number) => found(listOf(await options.get(templatesKey)), index),

    /** @throws SvcError 422 for a font that is not offered */
    async create(template: NewTextTemplate, { remember } = readBack): Promise<Written<FoundTemplate>> {
      let index = 0
      const list = await write(
        (entries, fonts) => {
          assertNoProblems(problemsOf(template, fonts))
          index = entries.length
          return [...entries, newEntry(template)]
        },
        () => ({ action: 'created', id: index }),
        // Positions from 1.
        { remember: async (trx) => remember?.(trx, index + 1) },
      )
      // The stored list ends with it.
      return { id: index, found: found(list, index), isNew: true }
    },

    /** The template that has the position by now that a key has remembered. */
    again: async (foundBy: number) => found(listOf(await options.get(templatesKey)), foundBy - 1),

    /** Replaces the list. An item with `index` continues that entry and keeps its unknown properties. */
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
          const storedEntryOf = ({ index }: ListedTemplate) =>
            index === undefined ? undefined : entries[index]
          const empty = items.findIndex((item) => isNewWhitespace(item, storedEntryOf(item)))
          if (empty >= 0) {
            throw invalidParams({
              templates: `has a problem at [${empty}].text: it must not be only whitespace`,
            })
          }
          const stored = new Set(entries.map((entry) => identityOf(templateOf(entry))))
          const isStored = (item: ListedTemplate) => stored.has(identityOf({ ...templateDefaults, ...item }))
          assertNoProblems(
            items.flatMap((item, at) =>
              problemsOf(item, isStored(item) ? undefined : fonts, storedEntryOf(item)).map(
                (problem) => `templates[${at}].${problem}`,
              ),
            ),
          )
          return items.map((item) => newEntry(item, storedEntryOf(item)))
        },
        () => ({ action: 'updated', id: null }),
        // An unreadable list is replaced as a whole.
        { read: (stored) => readTemplates(stored) ?? [] },
      )
    },

    /** @throws SvcError 422 for a font that is not offered; whatever `decide` throws */
    async update(
      index: number,
      change: Write<TextTemplatePatch>,
    ): Promise<Written<FoundTemplate> | undefined> {
      const list = await write(
        async (entries, fonts, state) => {
          if (index >= entries.length) return undefined
          const entry = entries[index]
          const changes = await change.decide({ resource: numbered(entry, index), state })
          assertNoProblems(problemsOf(changes, fonts, entry))
          return entries.with(index, changedEntry(entry, changes))
        },
        () => ({ action: 'updated', id: index }),
      )
      const template = found(list, index)
      return template && { id: index, found: template, isNew: false }
    },

    /** Removes the template and shifts those behind it. Its position; undefined when there is no template. */
    async remove(index: number, check?: Check): Promise<number | undefined> {
      let removed = false
      await write(
        async (entries, _fonts, state) => {
          removed = index < entries.length
          if (!removed) return undefined
          await check?.({ resource: numbered(entries[index], index), state })
          return entries.toSpliced(index, 1)
        },
        () => ({ action: 'deleted', id: index }),
      )
      return removed ? index : undefined
    },
  }
}

function found({ templates, state }: TemplateList, index: number): FoundTemplate | undefined {
  const resource = templates[index]
  return resource && { resource, state, unreadable: [] }
}

const newEntry = (template: NewTextTemplate, stored: StoredTemplate = {}): StoredTemplate =>
  changedEntry(stored, { ...templateDefaults, ...template })

function assertPositions(items: ListedTemplate[]): void {
  const positions = items.map(({ index }) => index).filter((index) => index !== undefined)
  const seen = new Set<number>()
  const twice = positions.filter((index) => seen.size === seen.add(index).size)
  if (twice.length === 0) return
  throw invalidParams({ templates: `has several items with the index ${[...new Set(twice)].join(', ')}` })
}

/** PHP may have stored a template of whitespace. It stays, but nobody can add one. */
const isNewWhitespace = ({ text }: ListedTemplate, entry: StoredTemplate | undefined) =>
  text.trim() === '' && (entry === undefined || templateOf(entry).text !== text)

/** Equal for templates with equal known properties. */
const identityOf = ({ text, font_family, font_size, text_align }: TextTemplate) =>
  JSON.stringify([text, font_family, font_size, text_align])

/**
 * A font must be on offer, unless the template has it already: what was read can be sent back. A lone surrogate is
 * refused because PHP cannot read it.
 * @param fonts the fonts on offer; undefined accepts any
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

function assertNoProblems(errors: string[]): void {
  if (errors.length > 0)
    throw new SvcError('svc_text_template_invalid', { message: errors.join(' '), errors })
}
