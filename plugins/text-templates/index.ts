// /text-templates: one ordered list. Templates have no ids; their index addresses them.

import { SvcError } from '../../src/core/errors.ts'
import { Type } from '../../src/core/typebox.ts'
import { ifMatch, matchesEtag, setEtag } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { stateCheck } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { totalMeta } from '../../src/http/pagination.ts'
import { changesOf, writeCheck } from '../../src/http/patch.ts'
import { created, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
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

const tags = ['text-templates']

function found<T>(template: T | undefined, index: number): T {
  if (template !== undefined) return template
  throw new SvcError('svc_text_template_not_found', { message: `No text template at the index ${index}.` })
}

const identified = (template: FoundTemplate) => ({
  resource: { id: idOf(template.resource.index) },
  template,
})

/**
 * The routes of text templates. Removing a template shifts the
 * indexes after it, so every template carries the tag of the whole list.
 */
export default group('text_templates', 'text_templates', (app, context) => {
  const { columns, t } = context.database
  const templates = textTemplatesRepository(context.options, columns, t.options)

  app.get('/', {
    schema: {
      operationId: 'list_text_templates',
      summary: 'List text templates',
      tags,
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
    schema: {
      operationId: 'create_text_template',
      summary: 'Create a text template',
      description: 'Appended to the list.',
      tags,
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
    schema: {
      operationId: 'replace_text_templates',
      summary: 'Replace all text templates',
      description: 'The list is stored as sent; an item with `index` continues the stored one.',
      tags,
      body: TextTemplateList,
      response: responses(200, Type.Array(TextTemplate)),
    },
    handler: async (request, reply) => {
      const list = await templates.replace(request.body.templates, ifMatch(request))
      setEtag(reply, list.state)
      return ok(list.templates, totalMeta(reply, list.templates.length))
    },
  })

  app.get('/:index', {
    schema: {
      operationId: 'get_text_template',
      summary: 'Get a text template',
      tags,
      params: IndexParams,
      querystring: TextTemplateQuery,
      response: responses(200, TextTemplate),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, TextTemplate)
      const { index } = request.params
      const template = found(await templates.find(index), index)
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
      response: responses(200, TextTemplate),
    },
    handler: async (request, reply) => {
      const { index } = request.params
      const check = writeCheck(request, TextTemplatePatch, TextTemplate)
      const changes = changesOf(request, TextTemplatePatch)
      const template = found(await templates.update(index, changes, check), index)
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
      response: responses(200, DeletedTemplate),
    },
    handler: async (request) => {
      const { index } = request.params
      return ok({ index: found(await templates.remove(index, stateCheck(request)), index), deleted: true })
    },
  })
})
