// What is read of an OpenAPI document.

export type Json = Record<string, unknown>

export interface Schema extends Json {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  description?: string
  items?: Schema
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** The schema itself, where another refers to it. */
export function resolved(document: ApiDocument, schema: Schema | undefined): Schema | undefined {
  if (schema?.$ref === undefined) return schema
  return document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
}
