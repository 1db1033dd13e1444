// The groups that exist, with the prefix each is mounted under. Its switch stands in the group's own plugin.
import type { FastifyPluginAsync } from 'fastify'
import categories from './categories/index.ts'
import orders from './orders/index.ts'
import printJobs from './print-jobs/index.ts'
import products from './products/index.ts'
import shortcodeOrders from './shortcode-orders/index.ts'
import system from './system/index.ts'
import views from './views/index.ts'

export const groups: readonly { prefix: string; plugin: FastifyPluginAsync }[] = [
  { prefix: '/system', plugin: system },
  { prefix: '/products', plugin: products },
  { prefix: '/views', plugin: views },
  { prefix: '/categories', plugin: categories },
  { prefix: '/orders', plugin: orders },
  { prefix: '/shortcode-orders', plugin: shortcodeOrders },
  { prefix: '/print-jobs', plugin: printJobs },
]
