// /system: version, contents and enabled groups of this installation. This group cannot be switched off.
import { systemSnapshot } from '../../src/app/snapshot.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { ok } from '../../src/http/response.ts'
import { FieldsQuery, responses } from '../../src/http/schema.ts'
import { System } from './schema.ts'

/** The route of /system. Counts are cached: they may be one second old, those of large tables ten seconds. */
export default group('system', (app, context) => {
  const snapshot = systemSnapshot(context)

  app.get('/', {
    config: { takes: [] },
    schema: {
      operationId: 'get_system_info',
      summary: 'Get information about the installation',
      description: 'Version, URLs, active toggles, installed integrations and the number of each resource.',
      querystring: FieldsQuery,
      response: responses(200, System),
    },
    handler: async (request) => {
      const selection = selectedFields(request.query, System)
      const parts = await snapshot((part) => selection.has(part))
      return ok(Object.fromEntries(Object.entries(parts).filter(([name]) => selection.has(name))))
    },
  })
})
