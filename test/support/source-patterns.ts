// Finds every regular expression in the sources: the literals, and the `pattern` strings of schemas.
import { globSync, readFileSync } from 'node:fs'

interface SourcePattern {
  file: string
  pattern: RegExp
}

const FOLDERS = ['src', 'plugins']
const LITERAL = /^\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/
const SCHEMA_PATTERN = /^\s*pattern: ('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/gm
/** After these a slash starts a regular expression; after a value it divides. */
const BEFORE_LITERAL = /(?:^|[(,=:[!&|?{};>+~^*%-]|\b(?:return|typeof|case|of|in|yield|await))\s*$/
const STRING = /^(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/

export function sourcePatterns(): SourcePattern[] {
  return globSync(FOLDERS.map((folder) => `${folder}/**/*.ts`))
    .sort()
    .flatMap((file) => {
      // The first line of a command names its interpreter.
      const source = readFileSync(file, 'utf8').replace(/^#!.*/, '')
      return [...literals(source), ...schemaPatterns(source)].map((pattern) => ({ file, pattern }))
    })
}

function schemaPatterns(source: string): RegExp[] {
  // As the validator compiles them.
  return [...source.matchAll(SCHEMA_PATTERN)].map(([, text = '']) => new RegExp(unquoted(text), 'u'))
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}

/** The literals in a source file. Comments, strings and templates are skipped, embedded expressions are not. */
export function literals(source: string): RegExp[] {
  const found: RegExp[] = []
  /** For each open template, how many braces are open in its embedded expression. */
  const templates: number[] = []
  let before = ''
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at, at + 2000)
    const token = nextToken(rest, before, templates)
    if (token.startsWith('/') && token.length > 1 && !/^\/[/*]/.test(token)) {
      const [, pattern = '', flags] = LITERAL.exec(token) ?? []
      found.push(new RegExp(pattern, flags))
    }
    if (!/^\/[/*]/.test(token)) before = (before + token).slice(-40)
    at += token.length
  }
  return found
}

function nextToken(rest: string, before: string, templates: number[]): string {
  if (rest.startsWith('//')) return /^[^\n]*/.exec(rest)?.[0] ?? rest
  if (rest.startsWith('/*')) return rest.slice(0, rest.indexOf('*/') + 2)
  const string = STRING.exec(rest)?.[0]
  if (string) return string
  if (rest.startsWith('`')) return templatePart(rest, templates)
  const depth = templates.at(-1)
  if (rest.startsWith('{') && depth !== undefined) templates[templates.length - 1] = depth + 1
  if (rest.startsWith('}') && depth !== undefined) {
    templates.pop()
    if (depth === 0) return templatePart(rest, templates)
    templates.push(depth - 1)
  }
  const literal = BEFORE_LITERAL.test(before) ? LITERAL.exec(rest)?.[0] : undefined
  return literal ?? rest.charAt(0)
}

/** From a backtick, or the brace that closes an expression, to the next backtick or expression. */
function templatePart(rest: string, templates: number[]): string {
  const part = /^[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/.exec(rest)?.[0] ?? rest.charAt(0)
  if (part.endsWith('${')) templates.push(0)
  return part
}
