// The list of text templates: one option row, which changes only by compare-and-swap.
import type { NotedChange } from '../core/change.ts'
import { invalidParams, SvcError, unreadableValue } from '../core/errors.ts'
import { type Check, type Found, readBack, type Write, type Written } from '../core/resource.ts'
import type { Encoder } from '../db/encoder.ts'
import { stateTag } from '../db/state-tag.ts'
import { fontKeys, offeredFonts } from '../settings/offered-fonts.ts'
import type { OptionsStore, RowUpdateOptions } from '../settings/option-rows.ts'
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

const numberedTemplate = (entry: StoredTemplate, index: number): NumberedTemplate => ({
  index,
  ...templateOf(entry),
})

/** The templates of one database. @param table physical name of the options table, for the error about an unreadable list */
export function textTemplatesRepository(options: OptionsStore, encoder: Encoder, table: string) {
  function entriesOf(stored: string | undefined): StoredTemplate[] {
    const entries = readTemplates(stored)
    if (!entries) throw unreadableValue({ table, row: templatesKey, column: 'option_value' })
    return entries
  }

  function listOf(stored: string | undefined): TemplateList {
    return { templates: entriesOf(stored).map(numberedTemplate), state: stateTag(stored) }
  }

  /**
   * Reads the list, changes it and stores it by compare-and-swap.
   * @param work returns the new entries, or undefined for no change; runs again with the current entries after a lost swap
   * @param noted the change to report, called after `work`
   * @param options.parse the entries of the stored list; by default it throws if they cannot be read
   */
  async function write(
    work: (
      entries: StoredTemplate[],
      fonts: Set<string>,
      state: string,
    ) => StoredTemplate[] | undefined | Promise<StoredTemplate[] | undefined>,
    noted: () => Pick<NotedChange, 'action' | 'id'>,
    {
      parse = entriesOf,
      remember,
    }: { parse?: typeof entriesOf; remember?: RowUpdateOptions['remember'] } = {},
  ): Promise<TemplateList> {
    let before: string | undefined
    const stored = await options.update(
      templatesKey,
      async (stored, fontOptions) => {
        before = stateTag(stored)
        const next = await work(parse(stored), offeredFonts(fontOptions), before)
        return next && encoder.json('options', 'option_value', 'templates', next)
      },
      {
        alsoRead: fontKeys,
        remember,
        noted: (next) => ({ resource: 'text_template', ...noted(), before, after: stateTag(next) }),
      },
    )
    return listOf(stored)
  }

  return {
    /** All templates, and the state of the list. */
    list: async () => listOf(await options.get(templatesKey)),

    /** The template at a position; undefined when there is none. */
    find: async (index: number) => templateAt(listOf(await options.get(templatesKey)), index),

    /** Appends a template. A repeated request finds the one that has its position then. @throws SvcError 422 for a font that is not offered */
    async create(template: NewTextTemplate, { remember } = readBack): Promise<Written<FoundTemplate>> {
      // Set by each run of the function below; the last one has won the swap.
      let index = 0
      const list = await write(
        (entries, fonts) => {
          assertNoProblems(problemsOf(template, fonts))
          index = entries.length
          return [...entries, newEntry(template)]
        },
        () => ({ action: 'created', id: index }),
        { remember: async (trx) => remember?.(trx, index) },
      )
      return { id: index, found: templateAt(list, index), isNew: true }
    },

    /**
     * Replaces the list. An item with `index` continues that entry and keeps its unknown properties.
     * @throws SvcError 400 for an impossible index or a text of whitespace, 422 for a font that is not offered; what `check` throws
     */
    replace(items: ListedTemplate[], check?: (state: string) => void): Promise<TemplateList> {
      assertPositions(items)
      return write(
        (entries, fonts, state) => {
          check?.(state)
          assertItems(items, entries, fonts)
          return items.map((item) => newEntry(item, continuedEntry(item, entries)))
        },
        () => ({ action: 'updated', id: null }),
        // An unreadable list is replaced as a whole.
        { parse: (stored) => readTemplates(stored) ?? [] },
      )
    },

    /**
     * Changes the properties that are present; undefined when there is no such template.
     * @throws SvcError 422 for a font that is not offered; whatever `decide` throws
     */
    async update(
      index: number,
      change: Write<TextTemplatePatch>,
    ): Promise<Written<FoundTemplate> | undefined> {
      const list = await write(
        async (entries, fonts, state) => {
          if (index >= entries.length) return undefined
          const entry = entries[index]
          const changes = await change.decide({ resource: numberedTemplate(entry, index), state })
          assertNoProblems(problemsOf(changes, fonts, entry))
          return entries.with(index, changedEntry(entry, changes))
        },
        () => ({ action: 'updated', id: index }),
      )
      const template = templateAt(list, index)
      return template && { id: index, found: template, isNew: false }
    },

    /** Removes the template; the following ones move up. @returns its position; undefined when there is no such template */
    async remove(index: number, check?: Check): Promise<number | undefined> {
      // Set by each run of the function below; the last one has won the swap.
      let isRemoved = false
      await write(
        async (entries, _fonts, state) => {
          isRemoved = index < entries.length
          if (!isRemoved) return undefined
          await check?.({ resource: numberedTemplate(entries[index], index), state })
          return entries.toSpliced(index, 1)
        },
        () => ({ action: 'deleted', id: index }),
      )
      return isRemoved ? index : undefined
    },
  }
}

function templateAt({ templates, state }: TemplateList, index: number): FoundTemplate | undefined {
  const resource = templates[index]
  return resource && { resource, state, unreadable: [] }
}

const newEntry = (template: NewTextTemplate, stored: StoredTemplate = {}): StoredTemplate =>
  changedEntry(stored, { ...templateDefaults, ...template })

/** @throws SvcError 400 if several items continue the same entry */
function assertPositions(items: ListedTemplate[]): void {
  const positions = items.map(({ index }) => index).filter((index) => index !== undefined)
  const seen = new Set<number>()
  const repeated = positions.filter((index) => seen.size === seen.add(index).size)
  if (repeated.length === 0) return
  throw invalidParams({ templates: `has several items with the index ${[...new Set(repeated)].join(', ')}` })
}

/** The entry that an item continues; undefined for a new one. */
const continuedEntry = ({ index }: ListedTemplate, entries: readonly StoredTemplate[]) =>
  index === undefined ? undefined : entries[index]

/** @throws SvcError 400 or 422 unless these items may replace the entries */
function assertItems(
  items: readonly ListedTemplate[],
  entries: readonly StoredTemplate[],
  fonts: ReadonlySet<string>,
): void {
  const missing = items
    .map(({ index }) => index)
    .filter((index) => index !== undefined && index >= entries.length)
  if (missing.length > 0)
    throw invalidParams({ templates: `has items whose index is not in the list: ${missing.join(', ')}` })
  const empty = items.findIndex((item) => isNewWhitespace(item, continuedEntry(item, entries)))
  if (empty >= 0)
    throw invalidParams({ templates: `has a problem at [${empty}].text: it must not be only whitespace` })
  const storedIdentities = new Set(entries.map((entry) => identityOf(templateOf(entry))))
  const isStored = (item: ListedTemplate) =>
    storedIdentities.has(identityOf({ ...templateDefaults, ...item }))
  assertNoProblems(
    items.flatMap((item, position) =>
      problemsOf(item, isStored(item) ? undefined : fonts, continuedEntry(item, entries)).map(
        (problem) => `templates[${position}].${problem}`,
      ),
    ),
  )
}

/** Whether an item adds a text of whitespace; one that PHP has stored may stay. */
const isNewWhitespace = ({ text }: ListedTemplate, entry: StoredTemplate | undefined) =>
  text.trim() === '' && (entry === undefined || templateOf(entry).text !== text)

/** A text that is equal for templates with equal known properties. */
const identityOf = ({ text, font_family, font_size, text_align }: TextTemplate) =>
  JSON.stringify([text, font_family, font_size, text_align])

/**
 * Problems of an item. Its font must be on offer, unless the template has it already, so that a template can be sent back as it
 * was read. A lone surrogate is refused because PHP cannot read it.
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
