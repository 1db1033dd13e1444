// The status page: the installation and its content, its last print jobs, deliveries and webhooks, and whether database and storage work.
import type { SvcContext } from '../../src/app/context.ts'
import { systemSnapshot } from '../../src/app/snapshot.ts'
import { outboxEvents, type WebhookEvent } from '../../src/changes/outbox-events.ts'
import { within } from '../../src/core/deadline.ts'
import { errorCode } from '../../src/core/foreign.ts'
import { type Html, html } from '../../src/core/html.ts'
import { linkTo, section } from '../../src/pages/html.ts'
import { printJobPages } from '../../src/print/print-job-pages.ts'
import { jobTable } from './job-table.ts'
import { anchorOf, titleOf } from './layout.ts'
import { healthSection, maxPart, remoteHealth, tryUploadsFolder } from './status-health.ts'
import { failures, remedy, unreadable } from './status-parts.ts'

const shownJobs = 20
/** The most undelivered events that are counted; if there are as many, the page adds "or more". */
const maxDead = 100

/** Returns a function that draws the page, even if parts of it fail. @param warn logs the code of the error of a failed part */
export function statusPage(context: SvcContext, warn: (code: unknown, message: string) => void) {
  const { database, storage, storages, totals, keeps } = context
  const outbox = keeps.webhooks ? outboxEvents(database) : undefined
  const snapshot = systemSnapshot(context)
  const jobs = printJobPages(database, totals)

  /** Logs a failed part without the message of the error, which may quote values. */
  const logFailed = (name: string, error: unknown) =>
    warn(errorCode(error), `Part of the status page failed: ${name}.`)

  /** The result of a part; undefined if it fails or takes longer than `maxPart`. */
  async function part<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await within(maxPart, work)
    } catch (error) {
      logFailed(name, error)
      return undefined
    }
  }

  async function milliseconds(work: () => Promise<unknown>): Promise<number> {
    const started = performance.now()
    await work()
    return Math.round(performance.now() - started)
  }

  /** @param deskUrl to which jobs link; undefined for users who may not open the desk */
  return async (deskUrl: string | undefined): Promise<Html> => {
    const [system, table, databaseTime, storageTime, remote, dead] = await Promise.all([
      part('system', () => snapshot()),
      part('print jobs', async () => jobTable(context, await jobs.newest(shownJobs), deskUrl)),
      part('database', () => milliseconds(database.ping)),
      storage && part('storage', () => milliseconds(() => tryUploadsFolder(storage))),
      remoteHealth(storages, (error) => logFailed('remote storage', error)),
      outbox && part('webhooks', () => outbox.list({ dead: true, limit: maxDead })),
    ])
    return html`
${healthSection(context, { databaseTime, storageTime, remote })}
${system?.deliveries && deliveryPart(system.deliveries)}
${outbox && webhookPart(dead, deskUrl)}
${systemParts(system, context)}
${section('section-jobs', 'Last print jobs', table ?? unreadable)}`
  }
}

const remedies = {
  controllers: remedy(html`Turn groups on in the <a href="api">API settings</a>.`),
  files: remedy(
    html`Check that the folder or the SFTP server of the option <code>deliver</code> can be reached and written. Files are tried again for a day; “Deliver again” at the job on the desk starts earlier.`,
  ),
}

type Snapshot = Awaited<ReturnType<ReturnType<typeof systemSnapshot>>>

/** How an integration that is not in use is set up. */
function setUpRemedy(name: string, { catalog }: SvcContext): Html {
  const text = unusedPlugins[name]
  if (text !== undefined) return remedy(html`${text}`)
  const setting = name === 'printful' ? printfulKey : storageChoice
  const tab = catalog.find(setting)?.tab
  if (tab === undefined) return html``
  const action = name === 'printful' ? 'Enter its token' : 'Choose it and enter its keys'
  return remedy(html`${action} in the <a href="${linkTo(tab)}#${anchorOf(setting)}">settings</a> to use it.`)
}

const printfulKey = 'svc_printful_api_key'
const storageChoice = 'svc_ae_cloud'

const unusedPlugins: Readonly<Record<string, string>> = {
  woocommerce:
    'Activate the plugin in WordPress to print its orders. If it is active there, the options database and tablePrefix lead to another shop.',
  gravity_forms: 'Activate the plugin in WordPress to print designs that customers send with a form.',
  elementor: 'Only the page builder of WordPress uses it. Nothing is missing here.',
}

function systemParts(system: Snapshot | undefined, context: SvcContext): Html {
  const rows = (entries: object | undefined, draw: (value: unknown, name: string) => Html) =>
    Object.entries(entries ?? {}).map(
      ([name, value]) => html`<dt>${titleOf(name)}</dt><dd>${draw(value, name)}</dd>`,
    )
  const onOff = (yes: string, no: string) => (value: unknown) =>
    html`<span class="${value === true ? 'on' : 'off'}">${value === true ? yes : no}</span>`
  const isActive = onOff('Active', 'Not set up')
  const integration = (value: unknown, name: string) =>
    html`${isActive(value)}${value !== true && setUpRemedy(name, context)}`
  const listSection = (id: string, title: string, list: readonly Html[]) =>
    section(`section-${id}`, title, system ? html`<dl>${list}</dl>` : unreadable)
  return html`
${listSection('system', 'Installation', [
  html`<dt>Version</dt><dd>${system?.plugin} ${system?.version}</dd>
<dt>Site</dt><dd><code>${system?.site_url}</code></dd>
<dt>REST base</dt><dd><code>${system?.rest_base}</code></dd>
<dt>Namespace</dt><dd><code>${system?.api_namespace}</code></dd>`,
])}
${listSection('integrations', 'Integrations', rows(system?.integrations, integration))}
${listSection('controllers', 'Controllers', rows(system?.controllers, onOff('Served', 'Not served')))}
${Object.values(system?.controllers ?? {}).includes(false) && remedies.controllers}
${listSection(
  'counts',
  'Content',
  rows(system?.counts, (value) => html`${String(value)}`),
)}`
}

function deliveryPart({ waiting, failing, failed, last_error }: NonNullable<Snapshot['deliveries']>): Html {
  const list = html`
<dl>
<dt>Waiting</dt><dd>${String(waiting)}</dd>
<dt>Tried in vain</dt><dd>${failures(failing)}</dd>
<dt>Given up</dt><dd>${failures(failed)}</dd>
${last_error !== null && html`<dt>Last reason</dt><dd>${last_error}</dd>`}
</dl>
${failing + failed > 0 && remedies.files}`
  return section('section-deliveries', 'Delivery of print files', list)
}

/** @param dead undefined if they cannot be read */
function webhookPart(dead: readonly WebhookEvent[] | undefined, deskUrl: string | undefined): Html {
  if (!dead) return section('section-webhooks', 'Webhooks', unreadable)
  const count = dead.length === maxDead ? `${maxDead} or more` : String(dead.length)
  const receivers = [...new Set(dead.map(({ endpoint }) => endpoint))]
  const page =
    deskUrl === undefined
      ? html`the desk`
      : html`<a href="${deskUrl.replace(/\/$/, '')}/deliveries">the desk</a>`
  const list = html`
<dl><dt>Events not delivered</dt><dd>${failures(dead.length, count)}</dd>
${dead.length > 0 && html`<dt>Receivers</dt><dd>${receivers.join(', ')}</dd><dt>Last reason</dt><dd>${dead.at(-1)?.error}</dd>`}
</dl>
${dead.length > 0 && remedy(html`Check that the receiver responds with a status from 200 to 299 within its time. Then press “Retry all” on the page Deliveries of ${page}.`)}`
  return section('section-webhooks', 'Webhooks', list)
}
