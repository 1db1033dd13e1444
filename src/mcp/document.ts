// The parts of an OpenAPI document from which tools are made. Other keywords are allowed everywhere.

/** Any JSON object. */
export type Json = Record<string, unknown>

/** A Schema Object. */
export interface Schema extends Json {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  description?: string
  items?: Schema
}

/** A Parameter Object. */
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

/** An Operation Object. */
export interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** An OpenAPI document of this API. */
export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** The schema, or the one that it refers to by `$ref`. */
export function resolved(document: ApiDocument, schema: Schema | undefined): Schema | undefined {
  if (schema?.$ref === undefined) return schema
  return document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
}
