// The desk: pages for those who print, pack and answer the phone, under a path of the host's own. No group of the API.
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { checkOptions } from '../../src/core/check-options.ts'
import { runningContext } from '../../src/http/running-apis.ts'
import { serveFolder } from '../../src/pages/folder.ts'
import { style } from '../../src/pages/style.ts'
import { batchRoutes } from './batch-routes.ts'
import { changeRoutes } from './change-routes.ts'
import { checkRoutes } from './check-routes.ts'
import { deskOf } from './desk.ts'
import { eventRoutes } from './events.ts'
import { fileRoutes } from './file-routes.ts'
import { fontRoutes } from './font-routes.ts'
import { libraryRoutes } from './library-routes.ts'
import { type DeskOptions, deskOptions } from './options.ts'
import { orderRoutes } from './order-routes.ts'
import { ordersRoutes } from './orders-routes.ts'
import { previewRoutes } from './preview-routes.ts'
import { productRoutes } from './product-routes.ts'
import { productsRoutes } from './products-routes.ts'
import { queueRoutes } from './queue-routes.ts'
import { deskScript } from './script.ts'
import { deskStyle } from './style.ts'
import { ticketRoutes } from './ticket-routes.ts'
import { unusedRoutes } from './unused-routes.ts'
import { uploadRoutes } from './uploads.ts'

export type { DeskOptions, DeskUser } from './options.ts'

const desk: FastifyPluginAsync<DeskOptions> = async (app, options) => {
  checkOptions(deskOptions, options)
  if (app.prefix === '') throw new Error('prefix: must be given, such as "/desk".')
  const shared = deskOf(app, runningContext(app, options.baseUrl), options)
  serveFolder(app, { style: style + deskStyle, script: deskScript, first: shared.firstPage })
  const routes = [
    ordersRoutes,
    batchRoutes,
    orderRoutes,
    previewRoutes,
    checkRoutes,
    fileRoutes,
    uploadRoutes,
    ticketRoutes,
    queueRoutes,
    productsRoutes,
    productRoutes,
    fontRoutes,
    libraryRoutes,
    unusedRoutes,
    changeRoutes,
  ]
  for (const add of [...routes, eventRoutes]) add(shared)
}

/**
 * Pages to print the orders of the API that runs in the same app: register it after `svcApi` (or `svcContext`), with a prefix.
 * @example app.register(svcDesk, { prefix: '/desk', authorize: (request) => userOf(request) })
 * @throws Error with a sentence when an option is wrong, no prefix is set or no API was registered before
 */
export const svcDesk = fp(desk, { name: 'svc-api-desk', fastify: '5.x', encapsulate: true })
export default svcDesk
