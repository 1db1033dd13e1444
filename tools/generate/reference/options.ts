// options.md: the options of each plugin, from the schemas that check them at startup and the comments that editors show.
import type { TSchema } from '@sinclair/typebox'
import { deskOptions } from '../../../plugins/desk/options.ts'
import { apiOptions } from '../../../plugins/options.ts'
import { referenceOptions } from '../../../plugins/reference/options.ts'
import { screenOptions } from '../../../plugins/settings-screen/options.ts'
import { fastifyOptions } from '../../../src/core/check-options.ts'
import { remoteStorages } from '../../../src/storage/remote-storages.ts'
import { type Member, membersOf, optionsIn } from './interfaces.ts'
import { block, code, pageHead, prose, table } from './markdown.ts'

/** What describes the options of a plugin, or of one of its options. */
interface Described {
  /** Name of the option that has these properties; empty for the plugin itself. */
  of: string
  file: string
  /** Of the schema in the file, or of an interface. */
  name: string
}

interface Plugin {
  title: string
  text: string
  schema: TSchema
  /** The first ones are the plugin's own options. */
  parts: readonly Described[]
}

const own = (file: string, name: string): Described => ({ of: '', file, name })
const part = (of: string, file: string, name: string): Described => ({ of, file, name })

const home = own('src/pages/options.ts', 'homeProperties')
const pages = own('src/pages/options.ts', 'pageProperties')

const plugins: readonly Plugin[] = [
  {
    title: 'svcApi',
    text: '`app.register(svcApi, options)`. `svcContext` takes the same options, apart from `readinessPath` and `mcp`.',
    schema: apiOptions,
    parts: [
      own('src/db/options.ts', 'databaseOptions'),
      own('src/app/context-options.ts', 'registrationOptions'),
      own('src/changes/options.ts', 'changeOptions'),
      own('plugins/options.ts', 'rootOptions'),
      part('storage', 'src/storage/remote-storages.ts', 'builtIn'),
      part('storage', 'src/storage/options.ts', 'storageOptions'),
      ...remoteStorages.map(({ name }) =>
        part(`storage.${name}`, `src/storage/${name}.ts`, `${name}Options`),
      ),
      part('printReady', 'src/print/options.ts', 'printReadyOptions'),
      part('renderer', 'src/renderer/renderer-options.ts', 'rendererOptions'),
      part('renderer.sheet', 'src/renderer/renderer-options.ts', 'sheetOptions'),
      part('autoPrint', 'src/orders/auto-print-options.ts', 'autoPrintProperties'),
      part('deliver', 'src/print/delivery-options.ts', 'deliverOptions'),
      part('deliver.sftp', 'src/print/delivery-options.ts', 'sftpOptions'),
      part('exportService', 'src/print/options.ts', 'exportServiceOptions'),
      part('export', 'src/print/options.ts', 'exportOptions'),
      part('printful', 'src/print/options.ts', 'printfulOptions'),
      part('audit', 'src/changes/options.ts', 'auditOptions'),
      part('webhooks[]', 'src/changes/options.ts', 'webhookEndpoint'),
      part('mcp', 'plugins/mcp/options.ts', 'mcpOptions'),
      part('settings[]', 'src/settings/setting.ts', 'SettingFacts'),
    ],
  },
  {
    title: 'svcSettingsScreen',
    text: '`app.register(svcSettingsScreen, options)`: the pages on which a shop changes its settings.',
    schema: screenOptions,
    parts: [own('plugins/settings-screen/options.ts', 'properties'), home, pages],
  },
  {
    title: 'svcDesk',
    text: '`app.register(svcDesk, options)`: the pages on which orders and print jobs are worked on.',
    schema: deskOptions,
    parts: [own('plugins/desk/options.ts', 'properties'), home, pages],
  },
  {
    title: 'svcReference',
    text: '`app.register(svcReference, options)`: a page on which the operations can be read and tried.',
    schema: referenceOptions,
    parts: [own('plugins/reference/options.ts', 'properties'), home],
  },
]

/** The schema of an object, or of the object among the forms of an option, or of an array's items. */
const objectIn = (schema: TSchema): TSchema | undefined =>
  schema.properties ? schema : [schema.items, ...(schema.anyOf ?? [])].find((form) => form?.properties)

/** The schema of an option: `storage.s3`, `webhooks[]`. */
function schemaAt(schema: TSchema, path: string): TSchema | undefined {
  let found: TSchema | undefined = schema
  for (const name of path === '' ? [] : path.replaceAll('[]', '').split('.'))
    found = found && objectIn(found)?.properties[name]
  return found && objectIn(found)
}

/** The names of types that are exported, by their schemas. */
const namesIn = (schema: TSchema, parts: readonly Described[]) =>
  new Map(parts.map(({ of, name }) => [of === '' ? undefined : schemaAt(schema, of), name]))

/** The type of an option as a reader calls it. */
function typeIn(schema: TSchema, given: string, names: ReturnType<typeof namesIn>): string {
  if (schema.enum) return schema.enum.map((value: string) => `'${value}'`).join(' | ')
  if (given !== '') return given
  const name = names.get(schema)
  if (name !== undefined) return name[0]?.toUpperCase() + name.slice(1)
  if (schema.anyOf) return schema.anyOf.map((form: TSchema) => typeIn(form, '', names)).join(' | ')
  if (schema.type === 'array') return `${typeIn(schema.items, '', names)}[]`
  if (schema.patternProperties) return 'Record<string, string>'
  if (schema.properties) {
    const properties = Object.entries<TSchema>(schema.properties).map(([key, inner]) => {
      const isOptional = schema.required?.includes(key) !== true
      return `${key}${isOptional ? '?' : ''}: ${typeIn(inner, '', names)}`
    })
    return `{ ${properties.join('; ')} }`
  }
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown')
}

/** Properties of a schema with what the source says of them. */
function described({ schema: whole, parts }: Plugin, { of, file, name }: Described, root: string): Member[] {
  // A setting is described where our own are.
  if (of === 'settings[]') return membersOf(root, file, name)
  const schema = schemaAt(whole, of)
  const names = namesIn(whole, parts)
  return optionsIn(root, file, name).map((member) => {
    const property: TSchema | undefined = schema?.properties[member.name]
    if (property === undefined) throw new Error(`${file}: ${name} has no schema of ${member.name}.`)
    const isRequired = schema?.required?.includes(member.name) === true
    return { ...member, isRequired, type: typeIn(property, member.type, names) }
  })
}

/** Options with properties that need words. One or two fit in the type, and `tables` lists names of tables. */
const nested = (schema: TSchema, path: string): string[] =>
  Object.entries<TSchema>(objectIn(schema)?.properties ?? {}).flatMap(([name, inner]) => {
    const { length } = Object.keys(objectIn(inner)?.properties ?? {})
    if (length <= 2 || name === 'tables') return []
    const own = `${path === '' ? '' : `${path}.`}${name}${inner.items ? '[]' : ''}`
    return [own, ...nested(inner, own)]
  })

/** Names that the schema knows and the source does not describe. */
export function undescribed(root: string): string[] {
  const common = Object.keys(fastifyOptions)
  return plugins.flatMap((plugin) => [
    ...nested(plugin.schema, '')
      .filter((path) => !plugin.parts.some(({ of }) => of === path))
      .map((path) => `${plugin.title} ${path} (no part)`),
    ...Object.entries(Object.groupBy(plugin.parts, ({ of }) => of)).flatMap(([of, group = []]) => {
      const members = group.flatMap((part) => described(plugin, part, root))
      const names = new Set([...members.map(({ name }) => name), ...common])
      // A setting of a host has its place as well as its facts.
      for (const name of of === 'settings[]' ? ['tab', 'section', 'sectionLabel'] : []) names.add(name)
      const known = Object.keys(schemaAt(plugin.schema, of)?.properties ?? {})
      return known.filter((name) => !names.has(name)).map((name) => `${plugin.title} ${of} ${name}`)
    }),
  ])
}

/** Demands that say no more than the type. */
const obvious =
  /^be (a string|a number|a name|a sentence|true or false|a function|an object\b.*|an array of [\w-]+|.*the setting|.* stored)$/

function demandOf(schema: TSchema | undefined, { name }: Member): string {
  const must: string | undefined = schema?.properties[name]?.must
  return must === undefined || obvious.test(must) ? '' : ` Must ${prose(must)}.`
}

const typeOf = ({ type, name }: Member) => code(type.startsWith('(') ? `${name}${type}` : type)

function ownOption(schema: TSchema, member: Member): string {
  const demand = member.type.startsWith('(') ? '' : demandOf(schema, member)
  const example = member.example === undefined ? '' : `\n${block('js', exampleOf(member))}`
  return `### ${code(member.name)}

${typeOf(member)}${member.isRequired ? ', required' : ''}

${prose(member.text)}${demand}
${example}`
}

const exampleOf = ({ name, example = '' }: Member) => `{ ${name}: ${example} }`

/** @param parts of the same option */
function partTable(plugin: Plugin, of: string, parts: readonly Described[], root: string): string {
  const schema = schemaAt(plugin.schema, of)
  const members = parts.flatMap((part) => described(plugin, part, root))
  const rows = members.map((member) => [
    code(member.name),
    typeOf(member),
    `${prose(member.text)}${demandOf(schema, member)}`,
  ])
  return `### Properties of ${code(of)}\n\n${table(['Property', 'Type', 'Meaning'], rows)}`
}

export function optionsPage(root: string): string {
  const sections = plugins.map((plugin) => {
    const own = plugin.parts
      .filter(({ of }) => of === '')
      .flatMap((part) => described(plugin, part, root))
      .map((member) => ownOption(plugin.schema, member))
    const nestedParts = Map.groupBy(plugin.parts, ({ of }) => of)
    nestedParts.delete('')
    const parts = [...nestedParts].map(([of, group]) => partTable(plugin, of, group, root))
    return `## ${plugin.title}\n\n${plugin.text}\n\n${[...own, ...parts].join('\n')}`
  })
  const text = `Options are checked at startup, in JavaScript as in TypeScript. An unknown name, a wrong type or an invalid value aborts
startup with one sentence that names the option and never repeats its value; \`undefined\` counts as absent. Beside these,
every plugin takes Fastify's own \`prefix\`, \`logLevel\` and \`logSerializers\`.`
  return `${pageHead('Options', 'the schemas of the options', text)}\n${sections.join('\n')}`
}
