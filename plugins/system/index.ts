// /system: version, contents and enabled groups of this installation. Always on.
import { svcFolders } from '../../src/files/folders.ts'
import { fontFamilies } from '../../src/files/font/families.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { ok } from '../../src/http/response.ts'
import { responses } from '../../src/http/schema.ts'
import { colorCount, libraryKeys, textTemplateCount } from '../../src/options/library-counts.ts'
import { toggleNames } from '../../src/options/toggles.ts'
import { countsRepository } from '../../src/repositories/counts.ts'
import { version } from '../../src/version.ts'
import { activeIntegrations } from './integrations.ts'
import { System, SystemQuery } from './schema.ts'

/** Maximum age of the counts in milliseconds. */
const maxAge = 900

/** The route `/system`. Its counts may be a second old. */
export default group('system', undefined, (app, context) => {
  const { options, cms, access, site, storage, groups } = context
  const counts = countsRepository(context.database)

  /** An unreadable folder counts as empty, because this route must help to find out what is wrong. */
  async function fontCount(): Promise<number> {
    const files = await storage?.list(svcFolders.fonts).catch(() => [])
    return fontFamilies(files ?? []).length
  }

  async function countAll() {
    const [rows, library, fonts] = await Promise.all([
      counts.all(),
      options.getMany(libraryKeys),
      fontCount(),
    ])
    return {
      ...rows,
      fonts,
      text_templates: textTemplateCount(library),
      colors: await colorCount(library),
    }
  }

  let known: { since: number; counts: ReturnType<typeof countAll> } | undefined
  function recentCounts(): ReturnType<typeof countAll> {
    const now = performance.now()
    if (!known || now - known.since >= maxAge) {
      known = { since: now, counts: countAll() }
      known.counts.catch(() => {
        known = undefined
      })
    }
    return known.counts
  }

  app.get('/', {
    schema: {
      operationId: 'get_system_info',
      tags: ['system'],
      querystring: SystemQuery,
      response: responses(200, System),
    },
    handler: async (request) => {
      const selection = selectedFields(request.query, System)
      const [integrations, numbers, state] = await Promise.all([
        selection.has('integrations') ? activeIntegrations(cms, options) : undefined,
        selection.has('counts') ? recentCounts() : undefined,
        access.fresh() ?? access.read(),
      ])
      const snapshot = {
        plugin: 'svc-api',
        version,
        api_namespace: 'svc/v1',
        site_url: site.url,
        rest_base: site.restBase,
        integrations,
        counts: numbers,
        // A group that this app does not serve is off, whatever its toggle says.
        controllers: Object.fromEntries(
          toggleNames.map((name) => [name, groups.has(name) && state.enabled[name]]),
        ),
      }
      return ok(Object.fromEntries(Object.entries(snapshot).filter(([name]) => selection.has(name))))
    },
  })
})
