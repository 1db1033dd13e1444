// The status page: the installation and its content, its last print jobs, deliveries and webhooks, and whether database and storage work.
import { randomBytes } from 'node:crypto'
import type { SvcContext } from '../../src/app/context.ts'
import { systemSnapshot } from '../../src/app/snapshot.ts'
import { outboxEvents, type WebhookEvent } from '../../src/changes/outbox-events.ts'
import { outsideRequest, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { errorCode } from '../../src/core/foreign.ts'
import { type Html, html } from '../../src/core/html.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { linkTo, section } from '../../src/pages/html.ts'
import { printJobPages } from '../../src/print/print-job-pages.ts'
import { isLocal, type Target } from '../../src/storage/storages.ts'
import { jobTable } from './job-table.ts'
import { anchorOf, titleOf } from './layout.ts'

/** Milliseconds that each part of the page may take: one that hangs must not delay the others. */
const maxPart = 3000
const shownJobs = 20
/** Events that were not delivered, of which the page shows the number. */
const maxDead = 100

/** @returns a function that draws the page, even if parts of it fail */
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
${health(context, databaseTime, storageTime, remote)}
${system?.deliveries && deliveryPart(system.deliveries)}
${outbox && webhookPart(dead, deskUrl)}
${systemParts(system, context)}
${section('section-jobs', 'Last print jobs', table ?? unreadable)}`
  }
}

/** In place of a part that failed. */
const unreadable = html`<p class="remark">Cannot be read at the moment.</p>`

/** What to do about a component, below its state. */
const remedy = (text: Html) => html`<p class="remark">${text}</p>`

const remedies = {
  database: remedy(
    html`Check that the database server runs and accepts connections; <code>npx svc-api doctor</code> finds the cause.`,
  ),
  tables: remedy(
    html`Convert each of them: <code>ALTER TABLE name ENGINE=InnoDB</code>. Until then, interrupted changes are not undone there.`,
  ),
  noStorage: remedy(
    html`Set the option <code>uploads</code> to a folder and its URL, so that files can be stored.`,
  ),
  storage: remedy(
    html`Allow the user of the server to write to the uploads folder, and check the free space of its disk.`,
  ),
  remoteSettings: remedy(html`Correct it in the <a href="export">export settings</a>.`),
  remote: remedy(
    html`Check the keys and their rights in the <a href="export">export settings</a>; the log of the server has the reason.`,
  ),
  controllers: remedy(html`Turn groups on in the <a href="api">API settings</a>.`),
  files: remedy(
    html`Check that the folder or the SFTP server of the option <code>deliver</code> can be reached and written. Files are tried again for a day; “Deliver again” at the job on the desk starts earlier.`,
  ),
}

const state = (isGood: boolean, text: string) => html`<span class="${isGood ? 'on' : 'bad'}">${text}</span>`

function health(
  { database, storage }: SvcContext,
  databaseTime: number | undefined,
  storageTime: number | undefined,
  remote: RemoteHealth | undefined,
): Html {
  const { tablesWithoutTransactions: plain } = database
  const list = html`
<dl>
<dt>Database</dt><dd>${databaseTime === undefined ? html`${state(false, 'Does not respond')}${remedies.database}` : html`${state(true, 'Responds')} in ${databaseTime} ms`}</dd>
${plain.length > 0 && html`<dt>Tables without transactions</dt><dd>${state(false, plain.join(', '))}${remedies.tables}</dd>`}
<dt>File storage</dt><dd>${
    !storage
      ? html`<span class="off">Not configured</span>${remedies.noStorage}`
      : storageTime === undefined
        ? html`${state(false, 'Cannot be written')}${remedies.storage}`
        : html`${state(true, 'Writable')} in ${storageTime} ms`
  }</dd>
${remote && html`<dt>Storage of new files</dt><dd>${remoteState(remote)}</dd>`}
</dl>`
  return section('section-health', 'Health', list)
}

function remoteState({ name, time, problem }: RemoteHealth): Html {
  if (problem !== undefined) return html`${state(false, problem)}${remedies.remoteSettings}`
  if (time === undefined) return html`${name}: ${state(false, 'Cannot be written')}${remedies.remote}`
  return html`${name}: ${state(true, 'Writable')} in ${time} ms`
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
<dt>Tried in vain</dt><dd>${state(failing === 0, String(failing))}</dd>
<dt>Given up</dt><dd>${state(failed === 0, String(failed))}</dd>
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
<dl><dt>Events not delivered</dt><dd>${state(dead.length === 0, count)}</dd>
${dead.length > 0 && html`<dt>Receivers</dt><dd>${receivers.join(', ')}</dd><dt>Last reason</dt><dd>${dead.at(-1)?.error}</dd>`}
</dl>
${dead.length > 0 && remedy(html`Check that the receiver responds with a status from 200 to 299 within its time. Then press “Retry all” on the page Deliveries of ${page}.`)}`
  return section('section-webhooks', 'Webhooks', list)
}

interface RemoteHealth {
  /** `s3`, `dropbox` or the name of a storage of the host's; undefined where the settings name none that can be used. */
  name?: string
  /** Milliseconds to store and remove a file; undefined where that failed. */
  time?: number
  /** Problems in the settings. */
  problem?: string
}

const bytes = Buffer.from('health')

/** Stores a file under a temporary name in the uploads folder, and removes it again. */
async function tryUploadsFolder(storage: SvcContext['storage']): Promise<void> {
  const file = await storage?.receive(svcFolders.assets)
  try {
    await file?.write(bytes)
  } finally {
    await file?.discard()
  }
}

/** Tries the remote storage of new files; undefined where they go to the uploads folder. Never rejects. @param failed gets the error */
async function remoteHealth(
  storages: SvcContext['storages'],
  failed: (error: unknown) => void,
): Promise<RemoteHealth | undefined> {
  let name: string | undefined
  try {
    const target = await within(maxPart, () => storages.current())
    if (isLocal(target)) return undefined
    name = target.storage
    const began = performance.now()
    await within(maxPart, () => tryRemote(target))
    return { name, time: Math.round(performance.now() - began) }
  } catch (error) {
    if (error instanceof SvcError && error.code === 'svc_storage_not_configured')
      return { problem: error.message }
    failed(error)
    return name === undefined ? undefined : { name }
  }
}

/** Stores a file and removes it again, even one that arrives late. */
async function tryRemote({ files }: Target): Promise<void> {
  const key = `${svcFolders.assets}/health-${randomBytes(16).toString('hex')}.txt`
  const putting = files.put(key, bytes, { signal: AbortSignal.timeout(maxPart) })
  const removed = outsideRequest(() => putting.catch(() => {}).then(() => files.remove(key)))
  await Promise.all([putting, removed])
}
