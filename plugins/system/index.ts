// /system: what this installation is, holds and has switched on. Always on.
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { ok } from '../../src/http/response.ts'
import { answers } from '../../src/http/schema.ts'
import { systemSnapshot } from '../../src/system/snapshot.ts'
import { System, SystemQuery } from './schema.ts'

export default group('system', undefined, (app, context) => {
  const snapshot = systemSnapshot(context)

  app.get('/', {
    schema: {
      operationId: 'get_system_info',
      tags: ['system'],
      querystring: SystemQuery,
      response: answers(200, System),
    },
    handler: async (request) => {
      const selection = selectedFields(request.query, System)
      const parts = await snapshot((part) => selection.has(part))
      return ok(Object.fromEntries(Object.entries(parts).filter(([name]) => selection.has(name))))
    },
  })
})
