// Writes the options into the compiled declarations: each with the comment of its schema. Editors show no comments of types that are
// computed, and TypeScript computes the types of options from schemas.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const dist = resolve(import.meta.dirname, '../dist')
const typebox = `import("@sinclair/typebox")`

/** An interface whose members are those of schemas; the first group is what precedes them in the line. */
const computed = /^(export interface \w+ extends )([^{]*\bOptionsOf<[^{]*)\{\n\}$/gm
/** The name of the schemas in a part of such a line: of an object's properties, or of properties alone. */
const schemaIn = /^OptionsOf<(?:typeof (\w+)|\(typeof (\w+)\)\['properties'\])>$/

/** @throws Error if the declaration has no such schemas, or one of their members cannot be read */
function membersOf(code: string, part: string, file: string): string {
  const [, properties, schema] = schemaIn.exec(part) ?? []
  const name = properties ?? schema
  const type = properties === undefined ? `(typeof ${name})['properties']` : `(typeof ${name})`
  const start = new RegExp(`^(?:export )?declare const ${name}: [^;{]*\\{\\n`, 'm').exec(code)
  if (!start) throw new Error(`${file} declares no schemas ${name}.`)
  const rest = code.slice(start.index + start[0].length)
  const body = rest.slice(0, rest.search(/^\}/m))
  const member = /^( {4}\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)? {4}(\w+): (\S*TOptional<)?/gm
  const members = [...body.matchAll(member)].map(
    ([, comment = '', key = '', optional]) =>
      `${comment}    ${key}${optional === undefined ? '' : '?'}: ${typebox}.Static<${type}['${key}']>;\n`,
  )
  if (members.length === 0) throw new Error(`${file}: the schemas ${name} have no members.`)
  return members.join('')
}

for (const file of globSync('{src,plugins}/**/*.d.ts', { cwd: dist })) {
  const path = join(dist, file)
  const code = readFileSync(path, 'utf8')
  const full = code.replace(computed, (_, head: string, list: string) => {
    const parts = list.split(/,(?![^<]*>)/).map((part) => part.trim())
    const others = parts.filter((part) => !schemaIn.test(part))
    const members = parts.filter((part) => schemaIn.test(part)).map((part) => membersOf(code, part, file))
    const opening = others.length > 0 ? head + others.join(', ') : head.replace(/ extends $/, '')
    return `${opening} {\n${members.join('')}}`
  })
  if (/^export interface .*\bOptionsOf</m.test(full)) throw new Error(`${file} has computed options.`)
  if (full !== code) writeFileSync(path, full)
}
