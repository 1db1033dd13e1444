// `svc-api preflight`: what would be refused, or printed badly, when an order is printed; the same for all products.
import { lineOf } from '../renderer/preflight-result.ts'
import { type Checked, preflight, type Subject } from '../upkeep/preflight.ts'
import { command, exit, type Invocation, idOf, UsageError } from './command.ts'
import { whenDatabaseResponds } from './database-work.ts'
import { existingInstallation, fileStorages } from './environment.ts'

const usage =
  'Usage: svc-api preflight <order> [--type <type>] [--item <id>] [options]\n       svc-api preflight --products [options]'

const options = {
  type: { type: 'string', default: 'wc' },
  item: { type: 'string' },
  products: { type: 'boolean', default: false },
  profile: { type: 'string' },
  'max-ink': { type: 'string' },
} as const

export const preflightCommand = command({
  summary: 'checks what an order, or each product, would be like in print',
  help: `${usage}

Draws nothing and changes nothing: names what would be refused (fonts that are not uploaded, missing pictures, views without
a size) and what is worth a look (substituted fonts, coarse pictures, thin lines, text near the edge, pictures that end within
the bleed, text that is cut off). With the default options of the renderer. The exit code is 1 if something is refused.

  --type      source of the order: wc (default), gf or shortcode
  --item      only this item of the order
  --products  all products and templates with views
  --profile   ICC profile of a press: also too much ink, and pictures in RGB
  --max-ink   percent of all inks together that the press takes (300)
  --json      prints [{"order" | "product": …, "printable": …, "findings": [{"level": "refusal" | "warning", "code": …,
              "view": …, "element": …, "message": …, "value": …}], "pages": …, "fonts": …}]`,
  options,
  takesOperands: true,
  async run(invocation) {
    const { flags, operands, variables, print, say } = invocation
    const subject = subjectOf(flags, operands)
    const renderer = pressOf(flags)
    const environment = existingInstallation(variables)
    const { database, tablePrefix, siteUrl } = environment
    const settings = { database, tablePrefix, siteUrl, subject, renderer }
    const results = await whenDatabaseResponds(invocation, environment, 'Checking the designs', (report) =>
      preflight({
        ...settings,
        ...fileStorages(variables, environment),
        onProgress: (count) => report(`${count} designs`),
      }),
    )
    if (results.length === 0) say('There is no product with views.')
    print(results.flatMap(linesOf), results)
    return results.every(({ printable }) => printable) ? exit.ok : exit.problem
  },
})

type Flags = Invocation<typeof options>['flags']

/** The order or the products that the arguments name: exactly one of them. @throws UsageError */
function subjectOf({ type, item, products }: Flags, operands: readonly string[]): Subject {
  const [order, ...more] = operands
  const isEither = products !== (order !== undefined)
  if (!isEither || more.length > 0) throw new UsageError(usage)
  if (order === undefined) return 'products'
  return { order: idOf(order, 'The order'), type, item: item === undefined ? item : idOf(item, '--item') }
}

/** The options of the renderer for a press; none without a profile. @throws UsageError */
function pressOf({ profile, 'max-ink': ink }: Flags) {
  if (profile === undefined) {
    if (ink !== undefined) throw new UsageError('--max-ink needs --profile.')
    return {}
  }
  const maxInk = ink === undefined ? undefined : Number(ink)
  if (maxInk !== undefined && !(Number.isInteger(maxInk) && maxInk >= 1 && maxInk <= 400))
    throw new UsageError('--max-ink must be a whole number from 1 to 400.')
  return { color: 'pdfx4', profile, ...(maxInk !== undefined && { maxInk }) } as const
}

function linesOf({ product, order, item, printable, findings }: Checked): string[] {
  const what =
    product === undefined ? `Order ${order}${item == null ? '' : `, item ${item}`}` : `Product ${product}`
  const state = printable ? (findings.length === 0 ? 'nothing found' : 'can be printed') : 'is refused'
  return [`${what}: ${state}.`, ...findings.map((finding) => `  ${lineOf(finding)}`)]
}
