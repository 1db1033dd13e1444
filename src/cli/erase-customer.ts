// `svc-api erase-customer`: empties a customer's shortcode orders, deletes their print jobs, files and saved products, and lists the
// rows of the shop that still hold data.
import { existsSync } from 'node:fs'
import { type Erasure, eraseCustomer } from '../upkeep/erase-customer.ts'
import { command, exit, shortList, UsageError } from './command.ts'
import { whenDatabaseResponds } from './database-work.ts'
import { existingInstallation, fileStorages } from './environment.ts'

export const eraseCustomerCommand = command({
  summary: "erases a customer's data from shortcode orders and print files",
  help: `Usage: svc-api erase-customer --mail ADDRESS [--dry-run] [--audit] [--json]

Empties the shortcode orders with this e-mail address: name, address and design. Amounts, ids of products and the orders
themselves stay. Deletes their print jobs and print files, the recipient in copies of orders at the print provider, and
products that the customer's account has saved. Names all other rows that hold data of the customer: those of
the CMS, the shop and the forms, uploaded pictures, orders at the print provider. Orders that cannot be read, or whose print
file cannot be removed, stay as they are and are named. May be interrupted and repeated. The exit code is 1 if an order is left.

  --mail     e-mail address; upper and lower case of ASCII letters do not count
  --dry-run  changes nothing and prints what would be done; keep this list, since erased orders no longer name their pictures
  --audit    writes each emptied order and deleted print job to the audit trail, as servers with the option audit do
  --json     prints {"ok": …, "dry_run": …, "orders": […], "print_jobs": …, "files": …, "meta_rows": …, "holders":
             [{"table": …, "id": …, "what": …}], "more_holders": …, "problems": [{"order": …, "message": …}]}

Print files are found in the storages of UPLOADS_DIR and the variables of "svc-api check --files". Webhooks are sent only by the
function eraseCustomer, because the command does not know their URLs.`,
  options: {
    mail: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    audit: { type: 'boolean', default: false },
  },
  async run(invocation) {
    const { flags, variables, print } = invocation
    const { mail = '', 'dry-run': dryRun } = flags
    if (!/^[^@]+@[^@]+$/.test(mail)) throw new UsageError('--mail must be an e-mail address.')
    const environment = existingInstallation(variables)
    const { uploads, storage } = fileStorages(variables, environment)
    const what = dryRun ? 'Looking for data' : 'Erasing'
    const erasure = await whenDatabaseResponds(invocation, environment, what, (onProgress) =>
      eraseCustomer({
        database: environment.database,
        tablePrefix: environment.tablePrefix,
        mail,
        dryRun,
        audit: flags.audit,
        onProgress,
        ...(storage && { storage }),
        // In a folder that does not exist, every file would count as removed.
        ...(uploads && existsSync(uploads.dir) && { uploads }),
      }),
    )
    const { orders, printJobs, files, metaRows, holders, moreHolders, problems } = erasure
    print(linesOf(erasure, { dryRun }), {
      ok: problems.length === 0,
      dry_run: dryRun,
      orders,
      print_jobs: printJobs,
      files,
      meta_rows: metaRows,
      holders,
      more_holders: moreHolders,
      problems,
    })
    return problems.length === 0 ? exit.ok : exit.problem
  },
})

function linesOf(
  { orders, printJobs, files, metaRows, holders, moreHolders, problems }: Erasure,
  { dryRun }: { dryRun: boolean },
): string[] {
  const would = dryRun ? ' that would be' : ''
  const groups = Map.groupBy(holders, ({ table, what }) => `${table}: ${what}`)
  return [
    `Orders${would} emptied: ${shortList(orders) || 'none'}`,
    `Print jobs${would} deleted: ${printJobs}`,
    `Print files${would} removed: ${files}`,
    `Meta rows of orders and accounts${would} emptied or deleted: ${metaRows}`,
    ...(groups.size > 0 ? ['Not changed, and may hold data of the customer:'] : []),
    ...[...groups].map(([group, rows]) => `  ${group}: ${shortList(rows.map(({ id }) => id))}`),
    ...(moreHolders > 0 ? [`  and ${moreHolders} more`] : []),
    ...(problems.length > 0 ? ['Left as they are:'] : []),
    ...problems.map(({ order, message }) => `  order ${order}: ${message}`),
  ]
}
