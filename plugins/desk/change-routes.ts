// The page of webhooks and that of the audit trail, each only if the host has switched it on.
import { type AuditEntry, auditTrail } from '../../src/changes/audit.ts'
import { outboxEvents } from '../../src/changes/outbox-events.ts'
import { changedResources } from '../../src/core/change.ts'
import { type Html, html, timeOf } from '../../src/core/html.ts'
import { queryValue, valueIn } from '../../src/pages/form.ts'
import { choices, notice, section, table } from '../../src/pages/html.ts'
import type { Desk } from './desk.ts'

/** The most rows of a page. */
const maxRows = 200

/** The page of deliveries where webhooks are on, and that of changes where the audit trail is. */
export function changeRoutes(desk: Desk): void {
  const { keeps } = desk.context
  if (keeps.webhooks) deliveryRoutes(desk)
  if (keeps.audit) auditRoute(desk)
}

function deliveryRoutes(desk: Desk): void {
  const outbox = outboxEvents(desk.context.database)

  desk.get('/deliveries', 'deliveries:read', async (request, form) => {
    const [events, zone] = await Promise.all([outbox.list({ limit: maxRows }), desk.timeZone()])
    const { dead = [], open = [] } = Object.groupBy(events, ({ state }) =>
      state === 'dead' ? 'dead' : 'open',
    )
    const retryForm = (id: string) => {
      const button = html`<button>Retry<span class="unseen"> ${id}</span></button>`
      return form('deliveries:write', 'send-again', { event: id }, button)
    }
    const sent = /^\d{1,5}$/.exec(queryValue(request, 'sent'))?.[0]
    const main = html`
${sent !== undefined && notice('done', `${sent} ${sent === '1' ? 'delivery was' : 'deliveries were'} started again.`)}
${section('section-dead', html`Not delivered <span class="count">${dead.length}</span>`, [
  dead.length > 1 &&
    form('deliveries:write', 'send-again', { all: 'yes' }, html`<button class="main">Retry all</button>`),
  dead.length === 0
    ? html`<p class="remark">Everything was delivered, or is on its way.</p>`
    : html`<ul class="jobs">${dead.map(
        ({ id, type, endpoint, attempts, error, queued_at }) => html`
<li><div class="what"><p class="name">${inWords(type)}</p>
<p class="remark">To ${endpoint}, ${timeOf(queued_at, zone)}, ${attempts} attempts, <code>${id}</code></p><p class="why">${error}</p></div>
<div class="acts">${retryForm(id)}</div></li>`,
      )}</ul>`,
])}
${section(
  'section-open',
  html`On their way <span class="count">${open.length}</span>`,
  html`<ul class="jobs">${open.map(
    ({ id, type, endpoint, error, next_at }) => html`
<li><div class="what"><p class="name">${inWords(type)}</p>
<p class="remark">To ${endpoint}, next at ${timeOf(next_at, zone)}, <code>${id}</code></p>${error && html`<p class="why">${error}</p>`}</div></li>`,
  )}</ul>`,
)}`
    return { title: 'Deliveries', current: 'deliveries', main }
  })

  desk.post('/send-again', { scope: 'deliveries:write', operation: 'replay_webhooks' }, async (form) => {
    const isAll = valueIn(form, 'all') === 'yes'
    const count = isAll ? await outbox.replayDead() : await outbox.replay(valueIn(form, 'event'))
    return `deliveries?sent=${count}`
  })
}

function auditRoute(desk: Desk): void {
  const trail = auditTrail(desk.context.database)

  desk.get('/audit', 'audit:read', async (request) => {
    const chosen = queryValue(request, 'resource')
    const resource = changedResources.find((name) => name === chosen)
    const id = queryValue(request, 'id').trim().slice(0, 255)
    const entries = await trail.list({ resource, id: id || undefined, limit: maxRows })
    const kinds = Object.fromEntries(changedResources.map((name) => [name, inWords(name)]))
    const main = html`
<form class="filters" method="get" action="audit">
<p><label for="resource">Resource</label><select id="resource" name="resource">${choices({ '': 'Everything', ...kinds }, resource)}</select></p>
<p><label for="id">ID</label><input type="text" id="id" name="id" value="${id}" class="short" autocomplete="off"></p>
<p><button class="main">Apply filters</button></p></form>
${section('section-changes', 'Changes', entries.length === 0 ? html`<p class="remark">No changes.</p>` : changeTable(entries, await desk.timeZone()))}`
    return { title: 'Changes', current: 'audit', main }
  })
}

/** A resource, or the type of an event, in words: `print job created` for `print_job.created`. */
const inWords = (type: string) => type.replaceAll(/[._]/g, ' ')

const changeTable = (entries: readonly AuditEntry[], zone: string): Html =>
  table(
    'changes',
    ['When', 'What', 'Who', 'Operation', 'Request'],
    entries.map(
      (entry) => html`<tr><td>${timeOf(entry.at, zone)}</td>
<th scope="row">${inWords(entry.resource)} ${entry.id} ${entry.action}</th>
<td>${entry.principal ? entry.principal.name : 'nobody'}</td><td>${entry.operation}</td><td><code>${entry.request_id ?? '–'}</code></td></tr>`,
    ),
    'lines',
  )
