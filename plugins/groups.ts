// The groups under /svc/v1 that are always registered, with their prefixes. Each group names its own toggle.
import type { FastifyPluginAsync } from 'fastify'
import assets from './assets/index.ts'
import categories from './categories/index.ts'
import colorLibrary from './color-library/index.ts'
import designCategories from './design-categories/index.ts'
import fonts from './fonts/index.ts'
import openapi from './openapi/index.ts'
import orders from './orders/index.ts'
import pricingRules from './pricing-rules/index.ts'
import printJobs from './print-jobs/index.ts'
import printProfiles from './print-profiles/index.ts'
import products from './products/index.ts'
import settings from './settings/index.ts'
import shortcodeOrders from './shortcode-orders/index.ts'
import system from './system/index.ts'
import textTemplates from './text-templates/index.ts'
import userInterfaces from './user-interfaces/index.ts'
import views from './views/index.ts'

export const groups: readonly { prefix: string; plugin: FastifyPluginAsync }[] = [
  { prefix: '/system', plugin: system },
  { prefix: '/products', plugin: products },
  { prefix: '/views', plugin: views },
  { prefix: '/assets', plugin: assets },
  { prefix: '/categories', plugin: categories },
  { prefix: '/settings', plugin: settings },
  { prefix: '/text-templates', plugin: textTemplates },
  { prefix: '/color-library', plugin: colorLibrary },
  { prefix: '/design-categories', plugin: designCategories },
  { prefix: '/pricing-rules', plugin: pricingRules },
  { prefix: '/print-profiles', plugin: printProfiles },
  { prefix: '/user-interfaces', plugin: userInterfaces },
  { prefix: '/fonts', plugin: fonts },
  { prefix: '/orders', plugin: orders },
  { prefix: '/shortcode-orders', plugin: shortcodeOrders },
  { prefix: '/print-jobs', plugin: printJobs },
  { prefix: '/openapi.json', plugin: openapi },
]
