// /text-templates: one ordered list without ids, addressed by position.
import { Type } from '@sinclair/typebox'
import { SvcError } from '../../src/errors.ts'
import { changesOf, checkOf } from '../../src/http/echo.ts'
import { ifMatch, isKnown, tag } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { wholeMeta } from '../../src/http/pagination.ts'
import { created, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { answers } from '../../src/http/schema.ts'
import { type FoundTemplate, idOf, indexOf, textTemplatesRepository } from './repository.ts'
import {
  DeletedTemplate,
  IndexParams,
  NewTextTemplate,
  TextTemplate,
  TextTemplateList,
  TextTemplatePatch,
  TextTemplateQuery,
} from './schema.ts'

const tags = ['text-templates']

function found(template: FoundTemplate | undefined): FoundTemplate {
  if (template === undefined) throw new SvcError('svc_text_template_not_found')
  return template
}

const identified = (template: FoundTemplate) => ({
  resource: { id: idOf(template.resource.index) },
  template,
})

export default group('text_templates', 'text_templates', (app, context) => {
  const { columns, t } = context.database
  const templates = textTemplatesRepository(context.options, columns, t.options)

  app.get('/', {
    schema: {
      operationId: 'list_text_templates',
      summary: 'List text templates',
      tags,
      querystring: TextTemplateQuery,
      response: answers(200, Type.Array(TextTemplate)),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, TextTemplate)
      const list = await templates.list()
      const etag = tag(reply, list.state, selection.key)
      if (isKnown(request, etag)) return reply.code(304).send()
      return ok(
        list.templates.map((template) => pick(template, selection)),
        wholeMeta(reply, list.templates.length),
      )
    },
  })

  app.post('/', {
    schema: {
      operationId: 'create_text_template',
      summary: 'Create a text template',
      description: 'Appended to the list.',
      tags,
      body: NewTextTemplate,
      response: answers(201, TextTemplate),
    },
    handler: async (request, reply) => {
      const { template } = await once(context, request, reply, {
        make: async () => identified(found(await templates.create(request.body))),
        again: async (id) => identified(found(await templates.find(indexOf(id)))),
      })
      created(context, reply, `/text-templates/${template.resource.index}`)
      return sendWritten(reply, template, '', template.resource)
    },
  })

  app.put('/', {
    schema: {
      operationId: 'replace_text_templates',
      summary: 'Replace all text templates',
      description: 'The list is stored as sent; an item with `index` continues the stored one.',
      tags,
      body: TextTemplateList,
      response: answers(200, Type.Array(TextTemplate)),
    },
    handler: async (request, reply) => {
      const list = await templates.replace(request.body.templates, ifMatch(request))
      tag(reply, list.state)
      return ok(list.templates, wholeMeta(reply, list.templates.length))
    },
  })

  app.get('/:index', {
    schema: {
      operationId: 'get_text_template',
      summary: 'Get a text template',
      tags,
      params: IndexParams,
      querystring: TextTemplateQuery,
      response: answers(200, TextTemplate),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, TextTemplate)
      const template = found(await templates.find(request.params.index))
      const data = pick(template.resource, selection)
      return sendOne(request, reply, template, { representation: selection.key, data, table: t.options })
    },
  })

  app.patch('/:index', {
    schema: {
      operationId: 'update_text_template',
      summary: 'Update a text template',
      tags,
      params: IndexParams,
      body: TextTemplatePatch,
      response: answers(200, TextTemplate),
    },
    handler: async (request, reply) => {
      const check = checkOf(request, request.body, TextTemplatePatch, TextTemplate)
      const changes = changesOf(request.body, TextTemplatePatch)
      const template = found(await templates.update(request.params.index, changes, check))
      return sendWritten(reply, template, '', template.resource)
    },
  })

  app.delete('/:index', {
    schema: {
      operationId: 'delete_text_template',
      summary: 'Delete a text template',
      description: 'The following templates move up by one.',
      tags,
      params: IndexParams,
      response: answers(200, DeletedTemplate),
    },
    handler: async (request) => {
      const { index } = request.params
      const check = checkOf(request, undefined, TextTemplatePatch, TextTemplate)
      if (!(await templates.remove(index, check))) throw new SvcError('svc_text_template_not_found')
      return ok({ index, deleted: true })
    },
  })
})
