// options.md: the options of each plugin, from the interfaces that hosts import and the schemas that check them at startup.
import type { TSchema } from '@sinclair/typebox'
import { apiOptions } from '../../../plugins/context/options-schema.ts'
import { deskOptions } from '../../../plugins/desk/options-schema.ts'
import { referenceOptions } from '../../../plugins/reference/options.ts'
import { screenOptions } from '../../../plugins/settings-screen/options-schema.ts'
import { fastifyOptions } from '../../../src/core/check-options.ts'
import { type Member, membersOf } from './interfaces.ts'
import { block, code, pageHead, prose, table } from './markdown.ts'

/** What describes the options of a plugin, or of one of its options. */
interface Described {
  /** Name of the option that has these properties; empty for the plugin itself. */
  of: string
  file: string
  interface: string
}

interface Plugin {
  title: string
  text: string
  schema: TSchema
  /** The first ones are the plugin's own options. */
  parts: readonly Described[]
}

const own = (file: string, name: string): Described => ({ of: '', file, interface: name })
const part = (of: string, file: string, name: string): Described => ({ of, file, interface: name })

const plugins: readonly Plugin[] = [
  {
    title: 'svcApi',
    text: '`app.register(svcApi, options)`. `svcContext` takes the same options, apart from `readinessPath` and `mcp`.',
    schema: apiOptions,
    parts: [
      own('src/db/connect.ts', 'DatabaseSettings'),
      own('src/app/context-options.ts', 'SvcContextOptions'),
      own('src/changes/options.ts', 'ChangeOptions'),
      own('plugins/index.ts', 'SvcApiOptions'),
      part('storage', 'src/storage/cloud-settings.ts', 'StorageOptions'),
      part('storage.s3', 'src/storage/cloud-settings.ts', 'S3Options'),
      part('storage.dropbox', 'src/storage/cloud-settings.ts', 'DropboxOptions'),
      part('printReady', 'src/print/settings.ts', 'PrintReadyOptions'),
      part('renderer', 'src/renderer/renderer-options.ts', 'RendererOptions'),
      part('exportService', 'src/print/export.ts', 'ExportServiceOptions'),
      part('export', 'src/print/settings.ts', 'ExportOptions'),
      part('printful', 'src/print/providers/printful.ts', 'PrintfulOptions'),
      part('audit', 'src/changes/options.ts', 'AuditOptions'),
      part('webhooks[]', 'src/changes/options.ts', 'WebhookEndpoint'),
      part('mcp', 'plugins/mcp/index.ts', 'McpOptions'),
      part('settings[]', 'src/settings/setting.ts', 'SettingFacts'),
    ],
  },
  {
    title: 'svcSettingsScreen',
    text: '`app.register(svcSettingsScreen, options)`: the pages on which a shop changes its settings.',
    schema: screenOptions,
    parts: [own('plugins/settings-screen/options-schema.ts', 'SettingsScreenOptions')],
  },
  {
    title: 'svcDesk',
    text: '`app.register(svcDesk, options)`: the pages on which orders and print jobs are worked on.',
    schema: deskOptions,
    parts: [own('plugins/desk/options-schema.ts', 'DeskOptions')],
  },
  {
    title: 'svcReference',
    text: '`app.register(svcReference, options)`: a page on which the operations can be read and tried.',
    schema: referenceOptions,
    parts: [own('plugins/reference/index.ts', 'ReferenceOptions')],
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

/** Names that the schema knows and the interfaces do not describe. */
export function undescribed(root: string): string[] {
  const common = Object.keys(fastifyOptions)
  return plugins.flatMap(({ title, schema, parts }) =>
    Object.entries(Object.groupBy(parts, ({ of }) => of)).flatMap(([of, group = []]) => {
      const described = group.flatMap(({ file, interface: name }) => membersOf(root, file, name))
      const names = new Set([...described.map(({ name }) => name), ...common])
      // A setting of a host has its place as well as its facts.
      for (const name of of === 'settings[]' ? ['tab', 'section', 'sectionLabel'] : []) names.add(name)
      const known = Object.keys(schemaAt(schema, of)?.properties ?? {})
      return known.filter((name) => !names.has(name)).map((name) => `${title} ${of} ${name}`)
    }),
  )
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

function partTable(plugin: Plugin, { of, file, interface: name }: Described, root: string): string {
  const schema = schemaAt(plugin.schema, of)
  const rows = membersOf(root, file, name).map((member) => [
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
      .flatMap(({ file, interface: name }) => membersOf(root, file, name))
      .map((member) => ownOption(plugin.schema, member))
    const parts = plugin.parts.filter(({ of }) => of !== '').map((each) => partTable(plugin, each, root))
    return `## ${plugin.title}\n\n${plugin.text}\n\n${[...own, ...parts].join('\n')}`
  })
  const text = `Options are checked at startup, in JavaScript as in TypeScript. An unknown name, a wrong type or an invalid value aborts
startup with one sentence that names the option and never repeats its value; \`undefined\` counts as absent. Beside these,
every plugin takes Fastify's own \`prefix\`, \`logLevel\` and \`logSerializers\`.`
  return `${pageHead('Options', 'the interfaces of the options and their schemas', text)}\n${sections.join('\n')}`
}
