// `svc-api impose`: places the pages of orders, or of all orders of some days, on press sheets in one PDF.
import { constants } from 'node:fs'
import { copyFile, lstat, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nameKey, uniqueName } from '../core/print-name.ts'
import { timeIn } from '../core/time-in.ts'
import { statusesIn } from '../orders/printable.ts'
import type { SheetOptions } from '../renderer/renderer-options.ts'
import { type Imposed, type ImposingSettings, impose } from '../upkeep/imposing.ts'
import { command, exit, idOf, type Output, UsageError } from './command.ts'
import { whenDatabaseResponds } from './database-work.ts'
import { existingInstallation, fileStorages } from './environment.ts'

const usage =
  'Usage: svc-api impose <order>... --out <file> [options]\n       svc-api impose --since <day> [--until <day>] --out <file> [options]'

export const imposeCommand = command({
  summary: 'puts the pages of orders onto sheets, in one PDF',
  help: `${usage}

Draws every item of the orders as often as it was ordered, less what was refunded, and places the pages in rows on sheets, with crop marks between
them; pages of the same size keep their order. Makes no print job. If a design is refused, nothing is written.
Of orders of days, those in other than printable states, items that are marked as printed or as a problem, and orders whose designs
cannot be read are left out and reported.

  --out       path of the PDF, which must not exist yet, or a folder: then the PDF is named after the orders
  --since     orders from this day of the shop's time zone on, such as 2026-04-29; at most 200
  --until     orders up to this day
  --status    states of the orders of these days, such as processing,packed, or any: then also what is
              marked as printed or as a problem
  --strict    ends with an error if a design of these days cannot be read
  --type      source of the orders: wc (default), gf or shortcode
  --sheet     width and height of a sheet in millimetres (450x320)
  --margin    millimetres that stay free along its edges (10)
  --gap       millimetres between the bleeds of two pages (6)
  --upright   turns no page
  --no-marks  without crop marks
  --mirror    mirrors the pages from left to right, as for transfers (default: as print profile and settings say)
  --outlines  draws text as paths, without fonts (likewise)
  --profile   ICC profile of a press: the PDF is a PDF/X-4 in its inks
  --json      prints {"orders": […], "sheets": …, "pieces": …, "warnings": […], "left_out": {…}, "marked": {…}, "unreadable": […]}`,
  options: {
    out: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    status: { type: 'string' },
    strict: { type: 'boolean', default: false },
    type: { type: 'string', default: 'wc' },
    sheet: { type: 'string' },
    margin: { type: 'string' },
    gap: { type: 'string' },
    upright: { type: 'boolean', default: false },
    'no-marks': { type: 'boolean', default: false },
    mirror: { type: 'boolean', default: false },
    outlines: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
  takesOperands: true,
  async run(invocation) {
    const { flags, operands, variables, print, say } = invocation
    const { out, type, profile } = flags
    const orders = ordersIn(flags, operands)
    const sheet = sheetIn(flags)
    if (out === undefined) throw new UsageError(usage)
    const environment = existingInstallation(variables)
    const isFolder = await isUsableFolder(out)
    const { database, tablePrefix, siteUrl } = environment
    const press = profile === undefined ? {} : ({ color: 'pdfx4', profile } as const)
    /** Moves the PDF to `--out`: under that path, or in that folder under the name, made unique. */
    const store = async (temporaryFile: string, name: string): Promise<string> => {
      const file = isFolder
        ? join(out, uniqueName(name, 'pdf', new Set((await readdir(out)).map(nameKey))))
        : out
      await move(temporaryFile, file)
      return file
    }
    const result = await whenDatabaseResponds(invocation, environment, 'Drawing the sheets', () =>
      impose({
        database,
        tablePrefix,
        siteUrl,
        orders,
        type,
        statuses: statusesIn(flags.status),
        isStrict: flags.strict,
        store,
        overrides: { ...(flags.mirror && { mirror: true }), ...(flags.outlines && { outlines: true }) },
        renderer: { sheet, ...press },
        ...fileStorages(variables, environment),
      }),
    )
    reportLeftOut(result, say)
    const { leftOut, marked, unreadable, file, ...printed } = result
    const { sheets, pieces, orders: printedOrders } = printed
    const text =
      pieces === 0
        ? 'Nothing to print.'
        : `${pieces} pages of ${countOf(printedOrders.length)} on ${sheets} sheet${sheets === 1 ? '' : 's'}: ${file}`
    print(text, {
      ...printed,
      ...(isFolder && file !== undefined && { file }),
      left_out: leftOut,
      marked,
      unreadable,
    })
    return exit.ok
  },
})

/** Prints to stderr what was not, or not well, placed: warnings, unreadable orders, orders in other states and marked items. */
function reportLeftOut({ warnings, unreadable, leftOut, marked }: Imposed, say: Output['say']): void {
  for (const warning of warnings) say(warning)
  for (const { order, message } of unreadable) say(`Order ${order} is left out: ${message}`)
  for (const [status, count] of Object.entries(leftOut))
    say(`${countOf(count)} left out: ${status} is not a printable state (--status).`)
  const reasons = [
    marked.printed > 0 && `${marked.printed} already printed`,
    marked.problem > 0 && `${marked.problem} with a problem`,
  ].filter(Boolean)
  if (reasons.length > 0) say(`Items left out: ${reasons.join(', ')} (--status any prints them, too).`)
}

const countOf = (orders: number) => `${orders} order${orders === 1 ? '' : 's'}`

/**
 * Whether `--out` is a folder; otherwise it is the path of a new file. Called before the sheets are drawn, which takes time.
 * @throws Error if the PDF could not be written there
 */
async function isUsableFolder(out: string): Promise<boolean> {
  if ((await stat(out).catch(() => undefined))?.isDirectory()) return true
  if (await lstat(out).catch(() => undefined)) throw new Error(`The file ${out} exists already.`)
  const folder = dirname(out)
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new Error(`There is no folder ${folder}.`)
  return false
}

/** Copies and deletes the file, since temporary files may lie on another disk. @throws Error if `out` exists; the file is deleted then, too */
async function move(path: string, out: string): Promise<void> {
  try {
    await copyFile(path, out, constants.COPYFILE_EXCL)
  } finally {
    await rm(path, { force: true })
  }
}

type Flags = Partial<Record<'since' | 'until' | 'status' | 'sheet' | 'margin' | 'gap', string>>

/** The orders that the arguments name, or the days of `--since` and `--until`. @throws UsageError */
function ordersIn(flags: Flags, operands: readonly string[]): ImposingSettings['orders'] {
  const { since, until, status } = flags
  if (since === undefined) {
    if (operands.length === 0 || until !== undefined || status !== undefined) throw new UsageError(usage)
    return operands.map((word) => idOf(word, 'An order'))
  }
  if (operands.length > 0) throw new UsageError(usage)
  for (const [name, day] of [
    ['--since', since],
    ['--until', until],
  ])
    if (day !== undefined && !(/^\d{4}-\d\d-\d\d$/.test(day) && Number.isFinite(timeIn(day))))
      throw new UsageError(`${name} must be a day such as 2026-04-29.`)
  const unknown = statusesIn(status)?.find((name) => !/^[a-z0-9_-]{1,40}$/.test(name))
  if (unknown !== undefined) throw new UsageError(`--status: ${unknown} is no state of an order.`)
  return { since, until }
}

/** The options about the press sheet; those that are absent have the defaults of the renderer. @throws UsageError */
function sheetIn(flags: Flags & Record<'upright' | 'no-marks', boolean>): SheetOptions {
  const length = (name: string, text: string | undefined, minimum: number): number | undefined => {
    if (text === undefined) return undefined
    const number = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= minimum && number <= 5000))
      throw new UsageError(`${name} must be millimetres from ${minimum} to 5000.`)
    return number
  }
  const [width, height, ...more] = flags.sheet?.split('x') ?? []
  if (more.length > 0 || (flags.sheet !== undefined && height === undefined))
    throw new UsageError('--sheet must be a width and a height such as 450x320.')
  const options = {
    width: length('--sheet', width, 10),
    height: length('--sheet', height, 10),
    margin: length('--margin', flags.margin, 0),
    gap: length('--gap', flags.gap, 0),
    rotate: flags.upright ? false : undefined,
    marks: flags['no-marks'] ? false : undefined,
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
