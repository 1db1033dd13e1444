// events.md: what changes are reported about, and what an event has.
import type { OpenApiDocument } from '../../../plugins/openapi/document.ts'
import { actionsOf, changedResources } from '../../../src/core/change.ts'
import { groups, tagOf } from '../../../src/core/groups.ts'
import { membersOf } from './interfaces.ts'
import { code, pageHead, prose, table } from './markdown.ts'
import { listed } from './routes.ts'

export function eventsPage(root: string, document: OpenApiDocument): string {
  const writing = listed(document).filter(({ method }) => method !== 'GET')
  const rows = changedResources.map((resource) => {
    const group = groups.find(({ events = [] }) => events.includes(resource))
    const operations = writing.filter(({ operation }) => group && operation.tags[0] === tagOf(group))
    const types = actionsOf(resource).map((action) => code(`${resource}.${action}`))
    return [
      code(resource),
      types.join(', '),
      operations.map(({ operation }) => code(operation.operationId)).join(', ') ||
        'the settings screen, `svc-api tokens`',
    ]
  })
  const properties = membersOf(root, 'src/core/change.ts', 'Change').map(({ name, type, text }) => [
    code(name),
    code(type),
    prose(text || 'As `before_etag`.'),
  ])
  const text = `The option [onChange](options.md#onchange), the [audit trail](options.md#audit) and [webhooks](options.md#webhooks) report the same
changes. A webhook's event is \`{ "type": "product.updated", "timestamp": …, "data": … }\`, signed as Standard Webhooks
describe; \`data\` has the properties below. Events contain no values, but \`print\` names what is printed.`
  return `${pageHead('Events', 'the groups and the type of a change', text)}
## Properties

${table(['Property', 'Type', 'Meaning'], properties)}
## Types

Not every operation makes an event of each type: an update that finds everything as it is sent makes none. Beside the
operations, \`operation\` may be \`settings_screen\`, \`cancel_print_job\` (the desk), \`migrate\`, \`ensure_token\`, \`erase_customer\`,
\`create_named_token\`, \`rotate_named_token\` or \`revoke_named_token\` (functions and commands), \`auto_print\` (automatic printing), and \`upkeep\` (what a process does by
itself, such as resuming a print job).

${table(['Resource', 'Types', 'Operations of its group'], rows)}`
}
