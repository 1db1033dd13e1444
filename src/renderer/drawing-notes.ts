// Features of drawings that print differently from how the designer shows them: fabric.js 5 has neither masks, patterns nor CSS variables.

/** Values of the variables that a drawing declares, each for all of it. */
const declared = /(?<![\w-])(--[\w-]+)\s*:\s*([^;"'{}<>]+)/g
/** A use, with a fallback that may contain one level of parentheses. */
const use = String.raw`var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)`
const used = new RegExp(use, 'g')
const onlyUse = new RegExp(`^${use}$`)
/** Variables that stand for each other. */
const maxAliases = 10

/** The drawing with the values of its variables (CSS Variables 1 §3); one without a value stays. */
export function withVariables(svg: string): string {
  if (!svg.includes('var(')) return svg
  const values = new Map([...svg.matchAll(declared)].map(([, name = '', value = '']) => [name, value.trim()]))
  function resolvedValue(name: string, fallback: string | undefined, aliases: number): string | undefined {
    const value = values.get(name) ?? fallback?.trim()
    const [, alias, ofAlias] = onlyUse.exec(value ?? '') ?? []
    if (alias === undefined) return value
    return aliases === 0 ? undefined : resolvedValue(alias, ofAlias, aliases - 1)
  }
  return svg.replaceAll(
    used,
    (whole, name: string, fallback?: string) => resolvedValue(name, fallback, maxAliases) ?? whole,
  )
}

const features: readonly [name: string, sign: RegExp][] = [
  ['masks', /<(?:[\w-]+:)?mask[\s>]/],
  ['patterns', /<(?:[\w-]+:)?pattern[\s>]/],
  ['opacity of groups', /<(?:[\w-]+:)?g\s[^<>]*?(?<![\w-])opacity\s*[:=]\s*(?:["']\s*)?(?:0|\.)/],
]

/** @param svg sanitized, before its variables are replaced */
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

/** Of rules of CSS for attributes, states, children and siblings. */
export const selectorNote =
  'The drawing has rules of CSS that the designer does not know; they are printed although it shows the shapes without them.'

const variableNote = (resolved: string): string =>
  resolved.includes('var(')
    ? 'The drawing has colors set by CSS variables without a value, which are printed black.'
    : 'The drawing has colors set by CSS variables, which are printed although the designer shows them black.'
