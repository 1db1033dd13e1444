// Deliveries of webhooks and the audit trail, where they are on.

import { type AuditEntry, auditTrail } from '../../src/changes/audit.ts'
import { outboxEvents } from '../../src/changes/outbox-events.ts'
import { changedResources } from '../../src/core/change.ts'
import { valueIn } from '../../src/pages/form-body.ts'
import { notice } from '../../src/pages/frame.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { queryValue } from '../../src/pages/scope.ts'
import { timeOf } from '../../src/pages/time.ts'
import type { Desk } from './desk.ts'

const shownRows = 200

export function changeRoutes(desk: Desk): void {
  const { keeps } = desk.context
  if (keeps.webhooks) deliveryRoutes(desk)
  if (keeps.audit) auditRoute(desk)
}

function deliveryRoutes(desk: Desk): void {
  const outbox = outboxEvents(desk.context.database)

  desk.get('/deliveries', 'deliveries:read', async (request, reply) => {
    const events = await outbox.list({ limit: shownRows })
    const form = desk.forms(request, reply)
    const dead = events.filter(({ state }) => state === 'dead')
    const again = (id: string, words: string) =>
      form(
        'deliveries:write',
        'send-again',
        { event: id },
        html`<button>${words}<span class="unseen"> ${id}</span></button>`,
      )
    const sent = /^\d{1,5}$/.exec(queryValue(request, 'sent'))?.[0]
    const main = html`
${sent !== undefined && notice('done', `${sent} ${sent === '1' ? 'delivery was' : 'deliveries were'} started again.`)}
<section aria-labelledby="section-dead"><h2 id="section-dead">Not delivered <span class="count">${dead.length}</span></h2>
${dead.length > 1 && form('deliveries:write', 'send-again', { all: 'yes' }, html`<button class="main">Send all again</button>`)}
${
  dead.length === 0
    ? html`<p class="remark">Everything was delivered, or is on its way.</p>`
    : html`<ul class="jobs">${dead.map(
        ({ id, type, endpoint, attempts, error, queued_at }) => html`
<li><div class="what"><p class="name">${wordsOf(type)}</p>
<p class="remark">To ${endpoint}, ${timeOf(queued_at)}, ${attempts} attempts, <code>${id}</code></p><p class="why">${error}</p></div>
<div class="acts">${again(id, 'Send again')}</div></li>`,
      )}</ul>`
}</section>
<section aria-labelledby="section-open"><h2 id="section-open">On their way <span class="count">${events.length - dead.length}</span></h2>
<ul class="jobs">${events
      .filter(({ state }) => state !== 'dead')
      .map(
        ({ id, type, endpoint, error, next_at }) => html`
<li><div class="what"><p class="name">${wordsOf(type)}</p>
<p class="remark">To ${endpoint}, next at ${timeOf(next_at)}, <code>${id}</code></p>${error && html`<p class="why">${error}</p>`}</div></li>`,
      )}</ul></section>`
    return desk.send(request, reply, { title: 'Deliveries', current: 'deliveries', main })
  })

  desk.post('/send-again', { scope: 'deliveries:write', operation: 'replay_webhooks' }, async (form) => {
    const isAll = valueIn(form, 'all') === 'yes'
    const count = isAll ? await outbox.replayDead() : await outbox.replay(valueIn(form, 'event'))
    return `deliveries?sent=${count}`
  })
}

function auditRoute(desk: Desk): void {
  const trail = auditTrail(desk.context.database)

  desk.get('/audit', 'audit:read', async (request, reply) => {
    const asked = queryValue(request, 'resource')
    const resource = changedResources().find((known) => known === asked)
    const id = queryValue(request, 'id').trim().slice(0, 255)
    const entries = await trail.list({ resource, id: id || undefined, limit: shownRows })
    const main = html`
<form class="filters" method="get" action="audit">
<p><label for="resource">Of what</label><select id="resource" name="resource"><option value="">Everything</option>${changedResources().map((name) => html`<option value="${name}"${name === resource && html` selected`}>${name.replaceAll('_', ' ')}</option>`)}</select></p>
<p><label for="id">Id</label><input type="text" id="id" name="id" value="${id}" class="short" autocomplete="off"></p>
<p><button class="main">Show</button></p></form>
<section aria-labelledby="section-changes"><h2 id="section-changes">Changes</h2>
${entries.length === 0 ? html`<p class="remark">There are none.</p>` : changeTable(entries)}</section>`
    return desk.send(request, reply, { title: 'Changes', current: 'audit', main })
  })
}

/** Of the type of an event: `print_job.created`. */
const wordsOf = (type: string) => type.replaceAll(/[._]/g, ' ')

const changeTable = (entries: readonly AuditEntry[]): Html => html`
<div class="wide" tabindex="0" role="region" aria-label="Table of changes"><table class="lines">
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Who</th><th scope="col">Operation</th><th scope="col">Request</th></tr></thead>
<tbody>${entries.map(
  (entry) => html`<tr><td>${timeOf(entry.at)}</td>
<th scope="row">${entry.resource.replaceAll('_', ' ')} ${entry.id} ${entry.action}</th>
<td>${entry.principal ? entry.principal.name : 'nobody'}</td><td>${entry.operation}</td><td><code>${entry.request_id ?? '–'}</code></td></tr>`,
)}</tbody></table></div>`
