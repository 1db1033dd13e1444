// /pricing-rules: conditions on a design and what they cost.
import { Type } from '@sinclair/typebox'
import { SvcError } from '../../src/errors.ts'
import { changesOf, checkOf } from '../../src/http/echo.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { sliceMeta, withUnreadable } from '../../src/http/pagination.ts'
import { created, deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { answers, Deleted, IdParams } from '../../src/http/schema.ts'
import { openJson } from '../../src/json.ts'
import { assertRuleData } from './data.ts'
import { type PricingRule as PricingRuleRow, pricingRulesRepository } from './repository.ts'
import {
  NewPricingRule,
  PricingRule,
  PricingRuleListQuery,
  PricingRulePatch,
  PricingRuleQuery,
} from './schema.ts'

const tags = ['pricing-rules']

function found<T>(rule: T | undefined): T {
  if (rule === undefined) throw new SvcError('svc_pricing_rule_not_found')
  return rule
}

export default group('pricing_rules', 'pricing_rules', (app, context) => {
  const rules = pricingRulesRepository(context)
  const table = context.database.t.pricing_rules

  app.get('/', {
    schema: {
      operationId: 'list_pricing_rules',
      summary: 'List pricing rules',
      tags,
      querystring: PricingRuleListQuery,
      response: answers(200, Type.Array(PricingRule)),
    },
    handler: async (request, reply) => {
      const { offset = 0, limit = 20, search, include, order_by: order = 'id' } = request.query
      const selection = selectedFields(request.query, PricingRule)
      const { items, total, unreadable } = await rules.list(
        { offset, limit, search, include, order },
        selection,
      )
      const data = items.map((item) => pick(item, selection))
      return ok(
        data,
        withUnreadable(sliceMeta(context, request, reply, { offset, limit }, total), unreadable),
      )
    },
  })

  app.post('/', {
    bodyLimit: context.bodyLimits.json,
    schema: {
      operationId: 'create_pricing_rule',
      summary: 'Create a pricing rule',
      tags,
      body: NewPricingRule,
      response: answers(201, PricingRule),
    },
    handler: async (request, reply) => {
      assertRuleData(openJson(request.body.data))
      const rule = found(
        await once(context, request, reply, { make: () => rules.create(request.body), again: rules.find }),
      )
      created(context, reply, `/pricing-rules/${rule.resource.id}`)
      return sendWritten<PricingRuleRow>(reply, rule, '', rule.resource)
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_pricing_rule',
      summary: 'Get a pricing rule',
      tags,
      params: IdParams,
      querystring: PricingRuleQuery,
      response: answers(200, PricingRule),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, PricingRule)
      const rule = found(await rules.find(request.params.id))
      const data = pick(rule.resource, selection)
      return sendOne(request, reply, rule, { representation: selection.key, data, table })
    },
  })

  app.patch('/:id', {
    bodyLimit: context.bodyLimits.json,
    schema: {
      operationId: 'update_pricing_rule',
      summary: 'Update a pricing rule',
      description: 'A given `data` replaces the stored one.',
      tags,
      params: IdParams,
      body: PricingRulePatch,
      response: answers(200, PricingRule),
    },
    handler: async (request, reply) => {
      const check = checkOf(request, request.body, PricingRulePatch, PricingRule)
      const changes = changesOf(request.body, PricingRulePatch)
      const rule = found(await rules.update(request.params.id, changes, check))
      return sendWritten<PricingRuleRow>(reply, rule, '', rule.resource)
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_pricing_rule',
      summary: 'Delete a pricing rule',
      tags,
      params: IdParams,
      response: answers(200, Deleted),
    },
    handler: async (request) => {
      const { id } = request.params
      found((await rules.remove(id, checkOf(request, undefined, PricingRulePatch, PricingRule))) || undefined)
      return deleted(id)
    },
  })
})
