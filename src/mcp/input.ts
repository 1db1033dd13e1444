// The arguments of a tool, and the request that they make.
import { compact } from './compact.ts'
import type { ApiDocument, Json, Parameter, Schema } from './document.ts'

/** Parameters that the server's instructions explain once for all tools. */
const explained = new Set(['fields', 'include', 'search', 'page', 'offset'])

/**
 * All parameters side by side. A body without properties, such as a map, is the property `body`; one whose properties are
 * all parameters, too, is not needed.
 */
export function inputOf(
  document: ApiDocument,
  parameters: Parameter[],
  body: Schema | undefined,
  isForm: boolean,
  takesPath: boolean,
) {
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  for (const parameter of parameters) {
    const name = parameter.name.replace('[]', '')
    const description = explained.has(name) ? undefined : parameter.description
    properties[name] = compact(document, {
      ...parameter.schema,
      ...(description !== undefined && { description }),
    })
    if (parameter.required) required.push(name)
  }
  const ofBody = Object.entries(body?.properties ?? {})
  const fields = ofBody.filter(
    ([name, field]) => !field.readOnly && !properties[name] && !(isForm && name === 'file'),
  )
  for (const [name, field] of fields) properties[name] = compact(document, field)
  const isWhole = !isForm && body?.type !== undefined && ofBody.length === 0
  if (isForm) {
    Object.assign(properties, fileProperties(takesPath))
    required.push(...(takesPath ? ['path'] : ['file', 'filename']))
  } else if (isWhole) {
    properties.body = compact(document, body)
    required.push('body')
  } else required.push(...(body?.required ?? []).filter((name) => properties[name]))
  const names = [...fields.map(([name]) => name), ...(isForm ? ['file', 'filename', 'path'] : [])]
  const bodyOf = (args: Json): unknown => {
    if (isWhole) return args.body
    if (names.length === 0) return undefined
    return Object.fromEntries(
      names.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
    )
  }
  const schema = { type: 'object' as const, properties, ...(required.length > 0 && { required }) }
  return { schema, bodyOf }
}

function fileProperties(takesPath: boolean): Record<string, Schema> {
  if (takesPath)
    return { path: { type: 'string', description: 'Path of the file, below the folder for uploads.' } }
  return {
    file: { type: 'string', description: 'The file, base64-encoded.' },
    filename: { type: 'string', description: 'Its name with extension.' },
  }
}

export function pathOf(path: string, parameters: Parameter[], args: Json): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => pathPart(name, args[name]))
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = args[name.replace('[]', '')]
    if (place !== 'query' || value === undefined || value === null) continue
    if (name.endsWith('[]')) for (const item of [value].flat()) query.append(name, String(item))
    else query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** @throws Error for a value with which the path would be that of another operation */
function pathPart(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (/^\.{0,2}$/.test(text))
    throw new Error(`The parameter ${name} must not be ${JSON.stringify(value ?? null)}.`)
  return encodeURIComponent(text)
}
