// /text-templates: one ordered list. Templates have no ids; their index addresses them.

import { Type } from '@sinclair/typebox'
import { SvcError } from '../../src/core/errors.ts'
import type { Declaration } from '../../src/core/groups.ts'
import { changeRoutes } from '../../src/http/change-routes.ts'
import { ifMatch, matchesEtag, setEtag } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { totalMeta } from '../../src/http/pagination.ts'
import { created, ok, pick, sendWritten } from '../../src/http/response.ts'
import { responses } from '../../src/http/schema.ts'
import {
  type FoundTemplate,
  idOf,
  indexOf,
  textTemplatesRepository,
} from '../../src/library/text-templates.ts'
import {
  DeletedTemplate,
  IndexParams,
  NewTextTemplate,
  TextTemplate,
  TextTemplateList,
  TextTemplatePatch,
  TextTemplateQuery,
} from './schema.ts'

function found<T>(template: T | undefined, index?: number | string): T {
  if (template !== undefined) return template
  throw new SvcError('svc_text_template_not_found', { message: `No text template at the index ${index}.` })
}

const identified = (template: FoundTemplate) => ({
  resource: { id: idOf(template.resource.index) },
  template,
})

const declaration = {
  name: 'text_templates',
  path: '/text-templates',
  tag: 'Ready-made texts.',
  toggle: { label: 'Text Templates API' },
  errors: {
    svc_text_template_not_found: [404, 'No text template with this index.'],
    svc_text_template_invalid: [422, 'The text template is invalid.'],
  },
  missing: 'svc_text_template_not_found',
  events: ['text_template'],
} as const satisfies Declaration

/**
 * The routes of text templates. Removing a template shifts the
 * indexes after it, so every template carries the tag of the whole list.
 */
export default group(declaration, (app, context) => {
  const { columns, t } = context.database
  const templates = textTemplatesRepository(context.options, columns, t.options)

  app.get('/', {
    config: { takes: ['if-none-match'] },
    schema: {
      operationId: 'list_text_templates',
      summary: 'List text templates',
      querystring: TextTemplateQuery,
      response: responses(200, Type.Array(TextTemplate)),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, TextTemplate)
      const list = await templates.list()
      const etag = setEtag(reply, list.state, selection.key)
      if (matchesEtag(request, etag)) return reply.code(304).send()
      return ok(
        list.templates.map((template) => pick(template, selection)),
        totalMeta(reply, list.templates.length),
      )
    },
  })

  app.post('/', {
    config: { causes: ['svc_text_template_invalid'] },
    schema: {
      operationId: 'create_text_template',
      summary: 'Create a text template',
      description: 'Appended to the list.',
      body: NewTextTemplate,
      response: responses(201, TextTemplate),
    },
    handler: async (request, reply) => {
      const { template } = await once(context, request, reply, {
        make: async () => identified(await templates.create(request.body)),
        again: async (id) => identified(found(await templates.find(indexOf(id)), indexOf(id))),
      })
      created(context, reply, `/text-templates/${template.resource.index}`)
      return sendWritten(reply, template, '', template.resource)
    },
  })

  app.put('/', {
    config: { causes: ['svc_text_template_invalid'] },
    schema: {
      operationId: 'replace_text_templates',
      summary: 'Replace all text templates',
      description: 'The list is stored as sent; an item with `index` continues the stored one.',
      body: TextTemplateList,
      response: responses(200, Type.Array(TextTemplate)),
    },
    handler: async (request, reply) => {
      const list = await templates.replace(request.body.templates, ifMatch(request))
      setEtag(reply, list.state)
      return ok(list.templates, totalMeta(reply, list.templates.length))
    },
  })

  changeRoutes(app, {
    one: 'text_template',
    found,
    resource: TextTemplate,
    read: { querystring: TextTemplateQuery, table: t.options, find: templates.find },
    patch: TextTemplatePatch,
    params: IndexParams,
    deleted: DeletedTemplate,
    update: templates.update,
    remove: templates.remove,
    onPatch: { config: { causes: ['svc_text_template_invalid'] } },
    onDelete: { description: 'The following templates move up by one.' },
  })
})
