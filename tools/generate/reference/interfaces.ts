// Reads the members of an exported interface with their documentation, so that editors and documents say the same.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Member {
  name: string
  isRequired: boolean
  /** As the source has it. */
  type: string
  /** Without the example. */
  text: string
  example: string | undefined
}

/** @throws Error if the file has no such interface, or a member of it no type */
export function membersOf(root: string, file: string, name: string): Member[] {
  const source = readFileSync(join(root, file), 'utf8')
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source)?.[1]
  if (body === undefined) throw new Error(`${file} has no interface ${name}.`)
  const members = [
    ...body.matchAll(/^(?: {2}\/\*\*([\s\S]*?)\*\/\n)? {2}(?:readonly )?(\w+)(\??)([:(].*)$/gm),
  ]
  if (members.length === 0) throw new Error(`${file}: the interface ${name} has no members.`)
  return members.map(([, comment = '', member = '', optional, type = '']) => ({
    name: member,
    isRequired: optional === '',
    type: type.replace(/^:\s*/, ''),
    ...documentation(comment),
  }))
}

/**
 * The options that a schema in the source describes: their documentation, and their types where the schema has none. Which
 * are required, the schema says.
 * @throws Error if the file has no such schema
 */
export function optionsIn(root: string, file: string, name: string): Member[] {
  const source = readFileSync(join(root, file), 'utf8')
  const found = new RegExp(
    `^(?:export )?const ${name} = (?:(?:optionsObject|Type\\.Object)\\(\\n)?( *)\\{\\n`,
    'm',
  ).exec(source)
  if (found === null) throw new Error(`${file} has no schema ${name}.`)
  const [head, indent = ''] = found
  const rest = source.slice(found.index + head.length)
  const body = rest.slice(0, rest.search(new RegExp(`^${indent}\\}`, 'm')))
  const start = `^${indent}  (?:/\\*\\*((?:[^*]|\\*(?!/))*)\\*/\\n(?: *//.*\\n)?${indent}  )?(\\w+):`
  return [...body.matchAll(new RegExp(start, 'gm'))].map(
    ({ index, 0: head, 1: comment, 2: name = '' }, i, all) => {
      const value = body.slice(index + head.length, all[i + 1]?.index)
      // Of the whole option: inside of a union or a list it is one of several.
      const whole = /^\s*(?:Type\.Optional\()?\s*(?:functionOption|valueOption|Type\.Unsafe)<(.*)>\(/
      const type = whole.exec(value)?.[1] ?? ''
      // A function that is written as a method.
      const signature = new RegExp(`^type ${type} = \\{\\n\\s*\\w+(\\(.*)\\n`, 'm').exec(source)?.[1]
      return { name, isRequired: false, type: signature ?? type, ...documentation(comment ?? '') }
    },
  )
}

function documentation(comment: string): Pick<Member, 'text' | 'example'> {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
  const [text = '', example] = lines.join('\n').split(/\s*@example\s+/, 2)
  return { text: plain(text), example: example?.trim() }
}

/** Without line breaks and without links between types. */
const plain = (text: string) =>
  text
    .replace(/(?:\. )?See \{@link \w+\}\.?/g, (found) => (found.startsWith('.') ? '.' : ''))
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim()
