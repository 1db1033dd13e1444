// /pricing-rules: conditions on a design and what they cost.

import { Type } from '@sinclair/typebox'
import type { Declaration } from '../../src/core/groups.ts'
import { changeRoutes } from '../../src/http/change-routes.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { sliceMeta, withUnreadable } from '../../src/http/pagination.ts'
import { created, ok, pick, sendWritten } from '../../src/http/response.ts'
import { responses } from '../../src/http/schema.ts'
import { assertRuleData } from '../../src/profiles/pricing-data.ts'
import { pricingRulesRepository } from '../../src/profiles/pricing-rules.ts'
import {
  NewPricingRule,
  PricingRule,
  PricingRuleListQuery,
  PricingRulePatch,
  PricingRuleQuery,
} from './schema.ts'

const found = foundOr404('svc_pricing_rule_not_found', 'pricing rule')

const declaration = {
  name: 'pricing_rules',
  path: '/pricing-rules',
  tag: 'Rules that add to the price of a customized product.',
  toggle: { label: 'Pricing Rules API' },
  errors: {
    svc_pricing_rule_not_found: [404, 'No pricing rule with this id.'],
    svc_pricing_rule_invalid: [422, 'The data of the pricing rule is invalid.'],
  },
  missing: 'svc_pricing_rule_not_found',
  events: ['pricing_rule'],
  counts: { pricing_rules: 'pricing_rules' },
} as const satisfies Declaration

/** The routes of pricing rules. Their `data` is replaced as a whole. */
export default group(declaration, (app, context) => {
  const rules = pricingRulesRepository(context)

  app.get('/', {
    schema: {
      operationId: 'list_pricing_rules',
      summary: 'List pricing rules',
      querystring: PricingRuleListQuery,
      response: responses(200, Type.Array(PricingRule)),
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
    config: { causes: ['svc_pricing_rule_invalid'] },
    schema: {
      operationId: 'create_pricing_rule',
      summary: 'Create a pricing rule',
      body: NewPricingRule,
      response: responses(201, PricingRule),
    },
    handler: async (request, reply) => {
      assertRuleData(request.body.data)
      const make = () => rules.create(request.body)
      const rule = found(await once(context, request, reply, { make, again: rules.find }))
      created(context, reply, `/pricing-rules/${rule.resource.id}`)
      return sendWritten(reply, rule, '', rule.resource)
    },
  })

  changeRoutes(app, {
    one: 'pricing_rule',
    found,
    resource: PricingRule,
    read: { querystring: PricingRuleQuery, table: context.database.t.pricing_rules, find: rules.find },
    patch: PricingRulePatch,
    update: rules.update,
    remove: rules.remove,
    onPatch: {
      description: 'A given `data` replaces the stored one.',
      bodyLimit: context.bodyLimits.json,
      config: { causes: ['svc_pricing_rule_invalid'] },
    },
  })
})
