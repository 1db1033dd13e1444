// Reads which elements of a drawing attributes and style sheets refer to, such as `fill="url(#gradient)"`, for references.ts. A rule
// whose whole selector is `#id`, `.class`, a name or `*` certainly matches (`certainUses`: a circle of such uses is refused); any rule
// may match an element with its last simple selector (`possibleUses`: all of them count for the limits).
import { declarationsOf, rulesOf } from './css.ts'

const urlTokens = /url\(\s*["']?#([^"')\s(]+)/gi
/** A whole selector that is `*`, a name, `#id` or `.class`. */
const exactSelector = /^(?:\*|[#.]?[\w\u0080-\uffff-]+)$/
const simpleSelectors = /[\w\u0080-\uffff-]+|\*/g

/** What each property may refer to, by the names of elements; programs ignore anything else. */
const referable: readonly (readonly [property: RegExp, target: RegExp])[] = [
  [/^(?:fill|stroke)$/, /^(?:linearGradient|radialGradient|pattern)$/],
  [/^mask$/, /^mask$/],
  [/^clip-path$/, /^clipPath$/],
  [/^filter$/, /^filter$/],
  [/^marker/, /^marker$/],
  // A variable may be the value of any of them.
  [/^--/, /^(?:pattern|mask|clipPath|filter|marker)$/],
]
/** Properties that elements pass on to those inside of them. */
export const inheritable = /^(?:fill|stroke|marker|--)/

/** The ids that an element refers to, by the property or attribute that does so. */
export type Uses = ReadonlyMap<string, readonly string[]>

/** Whether the property, which is not a link, may refer to an element of the name `target`. */
export function isReferable(property: string, target: string): boolean {
  return referable.some(([name, targets]) => name.test(property) && targets.test(target))
}

/** The ids in attributes and their `style`, which takes precedence. */
export function usesOf(attributes: ReadonlyMap<string, string>): Map<string, readonly string[]> {
  const uses = new Map<string, readonly string[]>()
  const properties = [...attributes].filter(([name]) => name !== 'style' && name !== 'id')
  for (const [property, value] of [...properties, ...declarationsOf(attributes.get('style') ?? '')]) {
    const name = property.toLowerCase()
    const isLink = name.endsWith('href')
    const ids = isLink ? (value.startsWith('#') ? [value.slice(1)] : []) : urlsOf(value)
    // A value without an id overrides an earlier one, and one that is inherited.
    if (ids.length > 0 || inheritable.test(name)) uses.set(name, ids)
    else uses.delete(name)
  }
  return uses
}

const urlsOf = (value: string): string[] =>
  value.includes('#') ? [...new Set(Array.from(value.matchAll(urlTokens), ([, id = '']) => id))] : []

/** The properties of a rule that may refer to elements, with the ids of each; none if it is set to something else. */
const referencesIn = (block: string): { name: string; ids: string[] }[] =>
  [...declarationsOf(block)]
    .map(([property, value]) => ({ name: property.toLowerCase(), ids: urlsOf(value) }))
    .filter(({ name }) => referable.some(([property]) => property.test(name)))

/** What a rule sets a property to. */
interface Declared {
  ids: readonly string[]
  /** The number of its rule. Of two classes of an element, whose selectors have the same precedence, the later rule wins. */
  order: number
}

/** The rules of all style sheets of a drawing. */
export class StyleReferences {
  /** How many selectors all rules have: simple ones, and among them those that count siblings or look into other elements. */
  readonly selectors = { simple: 0, sibling: 0, relative: 0 }
  /** What rules refer to, by the simple selector that their elements have at least. */
  readonly #rules = new Map<string, Uses[]>()
  /** What rules set whose whole selector is `#id`, `.class`, a name or `*`, by that selector, then by property. */
  readonly #exactRules = new Map<string, Map<string, Declared>>()
  /** What such rules within `@media` add. They override nothing, since they may not apply. */
  readonly #conditionalRules = new Map<string, Map<string, readonly string[]>>()
  /** Counts the rules of `#exactRules`, for their `order`. */
  #exactCount = 0

  /** Adds a sanitized style sheet, or the rules of one `@media`, which apply on some devices only. */
  addSheet(css: string, { isConditional = false } = {}): void {
    for (const { prelude, block } of rulesOf(css)) {
      if (prelude.startsWith('@')) this.addSheet(block, { isConditional: true })
      else this.#addRule(prelude, block, isConditional)
    }
  }

  #addRule(prelude: string, block: string, isConditional: boolean): void {
    this.selectors.simple += prelude.match(simpleSelectors)?.length ?? 1
    this.selectors.sibling += prelude.split(/:nth|:(?:last|only|first)-|~(?!=)/i).length - 1
    this.selectors.relative += prelude.split(/:has\(/i).length - 1
    const selectors = new Set(prelude.split(',').map((selector) => selector.trim()))
    const exact = [...selectors].filter((selector) => exactSelector.test(selector))
    if (isConditional) this.#addConditional(exact, block)
    else this.#addExact(exact, block)
    const uses = usesOf(new Map(declarationsOf(block)))
    if (![...uses.values()].some((ids) => ids.length > 0)) return
    for (const key of new Set([...selectors].map(keyOf))) {
      const rules = this.#rules.get(key) ?? []
      rules.push(uses)
      this.#rules.set(key, rules)
    }
  }

  #addExact(selectors: readonly string[], block: string): void {
    const order = this.#exactCount++
    const declared = referencesIn(block)
    if (declared.length === 0) return
    for (const selector of selectors) {
      const rule = this.#exactRules.get(selector) ?? new Map<string, Declared>()
      this.#exactRules.set(selector, rule)
      for (const { name, ids } of declared) rule.set(name, { ids, order })
    }
  }

  #addConditional(selectors: readonly string[], block: string): void {
    const declared = referencesIn(block).filter(({ ids }) => ids.length > 0)
    if (declared.length === 0) return
    for (const selector of selectors) {
      const rule = this.#conditionalRules.get(selector) ?? new Map<string, readonly string[]>()
      this.#conditionalRules.set(selector, rule)
      for (const { name, ids } of declared) rule.set(name, [...new Set([...(rule.get(name) ?? []), ...ids])])
    }
  }

  /**
   * The uses of an element, with what rules set in their place that certainly match, and what such rules within `@media` add.
   * @param keys the simple selectors of the element, by rising precedence (CSS Cascading and Inheritance 4 §6.1)
   * @param styled properties of its `style` attribute, which no rule overrides
   */
  certainUses(keys: readonly string[], uses: Uses, styled: ReadonlySet<string>): Uses {
    const rules = keys.map((key) => ({ key, rule: this.#exactRules.get(key) })).filter(({ rule }) => rule)
    const additions = keys.flatMap((key) => [...(this.#conditionalRules.get(key) ?? [])])
    if (rules.length === 0 && additions.length === 0) return uses
    const certain = new Map(uses)
    /** The order of the class rule that last set a property. */
    const classOrders = new Map<string, number>()
    for (const { key, rule } of rules)
      for (const [name, { ids, order }] of rule ?? []) {
        const isClass = key.startsWith('.')
        if (styled.has(name) || (isClass && order < (classOrders.get(name) ?? 0))) continue
        if (isClass) classOrders.set(name, order)
        certain.set(name, ids)
      }
    for (const [name, ids] of additions)
      if (!styled.has(name)) certain.set(name, [...(certain.get(name) ?? []), ...ids])
    return certain
  }

  /** What the rules refer to that may match an element with these simple selectors. */
  possibleUses(keys: readonly string[]): Uses[] {
    return keys.flatMap((key) => this.#rules.get(key) ?? [])
  }
}

/** A simple selector that every element has which the selector matches: from its last part `#id`, `.class`, a name or `*`. */
function keyOf(selector: string): string {
  if (/[([]/.test(selector)) return '*'
  const last = selector.split(/[\s>+~]/).findLast((part) => part !== '') ?? ''
  return /#[^.#:]+/.exec(last)?.[0] ?? /\.[^.#:]+/.exec(last)?.[0] ?? /^[^.#:]+/.exec(last)?.[0] ?? '*'
}
