// Replaces CSS variables of drawings, and reports features that print differently from how the designer shows them: fabric.js 5
// supports neither masks, patterns, opacity of groups nor CSS variables.

/** A declaration of a variable, which counts for the whole drawing. */
const declared = /(?<![\w-])(--[\w-]+)\s*:\s*([^;"'{}<>]+)/g
/** A use of a variable: its name, and a fallback that may contain one level of parentheses. */
const use = String.raw`var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)`
const anyUse = new RegExp(use, 'g')
const onlyUse = new RegExp(`^${use}$`)
/** Variables whose value is another variable, one after the other. */
const maxAliases = 10

/** The drawing with the values of its variables (CSS Variables 1 §3); a use without a value stays. */
export function withVariables(svg: string): string {
  if (!svg.includes('var(')) return svg
  const values = new Map([...svg.matchAll(declared)].map(([, name = '', value = '']) => [name, value.trim()]))
  function resolvedValue(name: string, fallback: string | undefined, aliases: number): string | undefined {
    const value = values.get(name) ?? fallback?.trim()
    const [, alias, aliasFallback] = onlyUse.exec(value ?? '') ?? []
    if (alias === undefined) return value
    return aliases === 0 ? undefined : resolvedValue(alias, aliasFallback, aliases - 1)
  }
  return svg.replaceAll(
    anyUse,
    (match, name: string, fallback?: string) => resolvedValue(name, fallback, maxAliases) ?? match,
  )
}

/** Features by their names in the note, and the text by which a drawing has one. */
const features: readonly [name: string, sign: RegExp][] = [
  ['masks', /<(?:[\w-]+:)?mask[\s>]/],
  ['patterns', /<(?:[\w-]+:)?pattern[\s>]/],
  ['opacity of groups', /<(?:[\w-]+:)?g\s[^<>]*?(?<![\w-])opacity\s*[:=]\s*(?:["']\s*)?(?:0|\.)/],
]

/** Sentences about features that print differently; undefined if there are none. @param svg sanitized, before `withVariables` */
export function noteOn(svg: string): string | undefined {
  const unsupported = features.flatMap(([name, sign]) => (sign.test(svg) ? [name] : []))
  const notes = [
    ...(unsupported.length > 0
      ? [
          `The drawing has ${unsupported.join(' and ')}, which are printed although the designer does not show them.`,
        ]
      : []),
    ...(svg.includes('var(') ? [variableNote(withVariables(svg))] : []),
  ]
  return notes.length > 0 ? notes.join(' ') : undefined
}

/** The note on a drawing whose rules of CSS select by attributes, states, children or siblings; source-files.ts adds it. */
export const selectorNote =
  'The drawing has rules of CSS that the designer does not know; they are printed although it shows the shapes without them.'

const variableNote = (resolved: string): string =>
  resolved.includes('var(')
    ? 'The drawing has colors set by CSS variables without a value, which are printed black.'
    : 'The drawing has colors set by CSS variables, which are printed although the designer shows them black.'
