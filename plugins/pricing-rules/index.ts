// /pricing-rules: conditions on a design and what they cost.
import { group } from '../../src/http/group.ts'
import { resourceRoutes } from '../../src/http/resource-routes.ts'
import { patchOf } from '../../src/http/schema.ts'
import { assertRuleData } from '../../src/profiles/pricing-data.ts'
import { pricingRulesRepository } from '../../src/profiles/pricing-rules.ts'
import { NewPricingRule, PricingRule, PricingRuleListQuery } from './schema.ts'

/** The routes of pricing rules. Their `data` is replaced as a whole. */
export default group('pricing_rules', (app, context, declaration) => {
  const rules = pricingRulesRepository(context)
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'pricing_rule',
    resource: PricingRule,
    table: context.database.t.pricing_rules,
    find: rules.find,
  })
  /** Options of the routes that receive a rule. */
  const writeOptions = {
    bodyLimit: context.bodyLimits.json,
    config: { causes: ['svc_pricing_rule_invalid'] },
  } as const

  routes.list({
    querystring: PricingRuleListQuery,
    read: ({ search, include, order_by: order = 'id' }, selection, rows) =>
      rules.list({ ...rows, search, include, order }, selection),
  })
  routes.create({
    ...writeOptions,
    body: NewPricingRule,
    async make(rule, _ref, options) {
      assertRuleData(rule.data)
      return rules.create(rule, options)
    },
  })
  routes.get()
  routes.patch({
    ...writeOptions,
    description: 'A given `data` replaces the stored one.',
    body: patchOf(NewPricingRule),
    update: rules.update,
  })
  routes.remove({ remove: rules.remove })
})
