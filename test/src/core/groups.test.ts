// What documents, scopes and events derive from the table of groups.
import t from 'tap'
import { changedResources } from '../../../src/core/change.ts'
import { groups, tagOf } from '../../../src/core/groups.ts'

t.test('a group has a tag without underscores', (t) => {
  const tags = groups.map(tagOf)
  t.ok(['products', 'pricing-rules', 'user-interfaces'].every((tag) => tags.includes(tag)))
  t.strictSame(
    tags.filter((tag) => !/^[a-z]+(-[a-z]+)*$/.test(tag)),
    [],
  )
  t.end()
})

t.test('events are about what groups write, and about named tokens', (t) => {
  for (const resource of ['product', 'view', 'pricing_rule', 'print_job', 'font', 'named_token'] as const)
    t.ok(changedResources.includes(resource), resource)
  t.end()
})
