// /text-templates: one ordered list. Templates have no ids; their index addresses them.
import { Type } from '@sinclair/typebox'
import { ifMatch, matchesEtag, setEtag } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { totalMeta } from '../../src/http/pagination.ts'
import { resourceRoutes } from '../../src/http/resource-routes.ts'
import { ok, pick } from '../../src/http/response.ts'
import { FieldsQuery, responses } from '../../src/http/schema.ts'
import { textTemplatesRepository } from '../../src/library/text-templates.ts'
import {
  DeletedTemplate,
  IndexParams,
  NewTextTemplate,
  TextTemplate,
  TextTemplateList,
  TextTemplatePatch,
} from './schema.ts'

/** The routes of text templates. Removing one shifts the indexes after it, so the ETag of each is that of the whole list. */
export default group('text_templates', (app, context, declaration) => {
  const { encoder, t } = context.database
  const templates = textTemplatesRepository(context.options, encoder, t.options)
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'text_template',
    resource: TextTemplate,
    params: IndexParams,
    table: t.options,
    find: templates.find,
  })

  app.get('/', {
    config: { takes: ['if-none-match'] },
    schema: {
      operationId: 'list_text_templates',
      summary: 'List text templates',
      querystring: FieldsQuery,
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

  routes.create({
    description: 'Appended to the list.',
    config: { causes: ['svc_text_template_invalid'] },
    body: NewTextTemplate,
    make: (template, _ref, options) => templates.create(template, options),
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

  routes.get()
  routes.patch({
    config: { causes: ['svc_text_template_invalid'] },
    body: TextTemplatePatch,
    update: templates.update,
  })
  routes.remove({
    description: 'The following templates move up by one.',
    deleted: DeletedTemplate,
    remove: templates.remove,
  })
})
