// What a drawing shows otherwise in print than in the designer: fabric.js 5 has neither masks nor patterns nor variables of CSS.

/** Values of the variables that a drawing declares, each for all of it. */
const declared = /(?<![\w-])(--[\w-]+)\s*:\s*([^;"'{}<>]+)/g
const used = /var\(\s*(--[\w-]+)\s*(?:,([^(),]*))?\)/g

/** The drawing with the values of its variables; one without a value stays. */
export function withVariables(svg: string): string {
  if (!used.test(svg)) return svg
  const values = new Map([...svg.matchAll(declared)].map(([, name = '', value = '']) => [name, value.trim()]))
  return svg.replaceAll(
    used,
    (whole, name: string, other?: string) => values.get(name) ?? other?.trim() ?? whole,
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

const variableNote = (resolved: string): string =>
  resolved.includes('var(')
    ? 'The drawing has colors by variables of CSS without a value, which are printed black.'
    : 'The drawing has colors by variables of CSS, which are printed although the designer shows them black.'
