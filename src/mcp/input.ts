// The input schema of a tool, and functions that turn its arguments into the path and body of a request.
import { compact } from './compact.ts'
import type { ApiDocument, Json, Parameter, Schema } from './document.ts'

/** Parameters that the instructions of the server explain for all tools. */
const explainedOnce = new Set(['fields', 'include', 'search', 'page', 'offset'])

/** What a request consists of. */
interface RequestForm {
  parameters: Parameter[]
  body: Schema | undefined
  /** Whether the body is a form with a file. */
  isForm: boolean
  /** Whether the tool takes the path of the file instead of its content. */
  takesPath: boolean
}

/**
 * The input of a tool: parameters and properties of the body side by side. A body without declared properties, such as a map of
 * settings, is the argument `body`.
 * @returns the schema, and a function that returns the body for the arguments; undefined if there is none
 */
export function inputOf(document: ApiDocument, { parameters, body, isForm, takesPath }: RequestForm) {
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  for (const parameter of parameters) {
    const name = parameter.name.replace('[]', '')
    const description = explainedOnce.has(name) ? undefined : parameter.description
    properties[name] = compact(document, {
      ...parameter.schema,
      ...(description !== undefined && { description }),
    })
    if (parameter.required) required.push(name)
  }
  const bodyProperties = Object.entries(body?.properties ?? {})
  // A property that is a parameter, too, is sent as the parameter.
  const fields = bodyProperties.filter(
    ([name, field]) => !field.readOnly && !properties[name] && !(isForm && name === 'file'),
  )
  for (const [name, field] of fields) properties[name] = compact(document, field)
  const isOpenBody = !isForm && body?.type !== undefined && bodyProperties.length === 0
  if (isForm) {
    Object.assign(properties, fileProperties(takesPath))
    required.push(...(takesPath ? ['path'] : ['file', 'filename']))
  } else if (isOpenBody) {
    properties.body = compact(document, body)
    required.push('body')
  } else required.push(...(body?.required ?? []).filter((name) => properties[name]))
  const names = [...fields.map(([name]) => name), ...(isForm ? ['file', 'filename', 'path'] : [])]
  const bodyOf = (args: Json): unknown => {
    if (isOpenBody) return args.body
    if (names.length === 0) return undefined
    return Object.fromEntries(
      names.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
    )
  }
  const schema = { type: 'object' as const, properties, ...(required.length > 0 && { required }) }
  return { schema, bodyOf }
}

/** The arguments of an upload. */
function fileProperties(takesPath: boolean): Record<string, Schema> {
  if (takesPath)
    return { path: { type: 'string', description: 'Path of the file, below the folder for uploads.' } }
  return {
    file: { type: 'string', description: 'The file, base64-encoded.' },
    filename: { type: 'string', description: 'Its name with extension.' },
  }
}

/** The path of a request with its query, for the arguments of a tool. */
export function pathOf(path: string, parameters: Parameter[], args: Json): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => pathSegment(name, args[name]))
  const query = new URLSearchParams()
  for (const { name, in: location } of parameters) {
    const value = args[name.replace('[]', '')]
    if (location !== 'query' || value === undefined || value === null) continue
    if (name.endsWith('[]')) for (const item of [value].flat()) query.append(name, String(item))
    else query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** An escaped argument. @throws Error for a value with which the path would be that of another operation */
function pathSegment(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (/^\.{0,2}$/.test(text))
    throw new Error(`The parameter ${name} must not be ${JSON.stringify(value ?? null)}.`)
  return encodeURIComponent(text)
}
