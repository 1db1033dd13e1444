// The references between the elements of a drawing: none may be circular or deeply nested, and together they may not draw too
// many shapes. How long the drawing takes to render is not estimated but measured, once it is sanitized.
import { FileRejected } from '../rejected.ts'
import { shapeElements, templateElements } from './allowed.ts'
import { declarationsOf, rulesOf } from './css.ts'

/** Shapes that are drawn, each as often as others refer to it. */
const maxShapes = 60_000
/** The same with all paints that style sheets may give and elements inherit, which multiply as fast. */
const maxPainted = 1_000_000
/** Elements and references inside each other: programs follow them recursively. */
const maxDepth = 250
/** Pairs of an element and a simple selector, each of which is tried. */
const maxMatches = 100_000_000
/** How many pairs of siblings, or of elements, a selector compares in the time in which it is tried on one element. */
const pairsPerMatch = 7

const lineShape = /^(?:path|line|polyline|polygon)$/
const urlTokens = /url\(\s*["']?#([^"')\s(]+)/gi
const exactSelector = /^(?:\*|[#.]?[\w\u0080-\uffff-]+)$/
const simpleSelectors = /[\w\u0080-\uffff-]+|\*/g

/** What each property may refer to; programs ignore anything else. */
const referable: readonly (readonly [property: RegExp, target: RegExp])[] = [
  [/^(?:fill|stroke)$/, /^(?:linearGradient|radialGradient|pattern)$/],
  [/^mask$/, /^mask$/],
  [/^clip-path$/, /^clipPath$/],
  [/^filter$/, /^filter$/],
  [/^marker/, /^marker$/],
  // A variable may be the value of any of them.
  [/^--/, /^(?:pattern|mask|clipPath|filter|marker)$/],
]
/** What elements pass on to those inside of them. */
const inheritable = /^(?:fill|stroke|marker|--)/

type Attributes = ReadonlyMap<string, string>
/** Ids by property. */
type Uses = ReadonlyMap<string, readonly string[]>
const none: Uses = new Map()

interface Part {
  name: string
  /** -1 for the root. */
  parent: number
  /** What a simple selector names it by. */
  keys: readonly string[]
  /** Elements that are drawn with it. */
  children: number[]
  /** How many children it has, with those that are only drawn where others refer to them. */
  count: number
  /** What the element itself names. */
  uses: Uses
  /** Properties of its `style` attribute, which no rule of a style sheet overrides. */
  styled: ReadonlySet<string>
  /** The same as `uses`, with what rules set whose selector it certainly matches. */
  certain: Uses
  /** The same, with what it inherits and what style sheets may give it. */
  given: Uses
}

/** What a rule of a style sheet sets a property to. */
interface Declared {
  ids: readonly string[]
  /** Of rules with the same kind of selector, the later one takes precedence. */
  order: number
}

/** What an element draws. */
interface Drawn {
  shapes: number
  painted: number
  depth: number
}

/** The elements in document order, and the selectors of the style sheets. */
export class References {
  readonly #parts: Part[] = []
  readonly #byId = new Map<string, number>()
  /** Simple selectors; those that count siblings; those that look into other elements. */
  readonly #selectors = { simple: 0, sibling: 0, relative: 0 }
  /** What rules refer to, by the simple selector that their elements have at least. */
  readonly #rules = new Map<string, Uses[]>()
  /** What rules set whose whole selector is `#id`, `.class`, a name or `*`, by that selector. */
  readonly #exactRules = new Map<string, Map<string, Declared>>()
  #declarations = 0

  /** Adds an element and returns its index. `parent` is the index of its parent, -1 for the root. */
  add(parent: number, name: string, attributes: Attributes): number {
    const id = attributes.get('id')
    const classes = attributes.get('class')?.split(/\s+/) ?? []
    // By rising precedence, see CSS Cascading and Inheritance 4 §6.1.
    const keys = ['*', name, ...classes.map((each) => `.${each}`), ...(id === undefined ? [] : [`#${id}`])]
    const uses = usesOf(attributes)
    const styled = new Set(
      Array.from(declarationsOf(attributes.get('style') ?? ''), ([written]) => written.toLowerCase()),
    )
    const part = {
      name,
      parent,
      keys,
      children: [],
      count: 0,
      uses,
      styled,
      certain: uses,
      given: uses,
    }
    const number = this.#parts.push(part) - 1
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, number)
    const above = this.#parts[parent]
    if (above) above.count++
    if (!templateElements.has(name)) above?.children.push(number)
    return number
  }

  /** Adds a sanitized style sheet. */
  addSheet(css: string): void {
    for (const { prelude, block } of rulesOf(css)) {
      if (prelude.startsWith('@')) {
        this.addSheet(block)
        continue
      }
      this.#selectors.simple += prelude.match(simpleSelectors)?.length ?? 1
      this.#selectors.sibling += prelude.split(/:nth|:(?:last|only|first)-|~(?!=)/i).length - 1
      this.#selectors.relative += prelude.split(/:has\(/i).length - 1
      const selectors = new Set(prelude.split(',').map((selector) => selector.trim()))
      this.#addExact(
        [...selectors].filter((selector) => exactSelector.test(selector)),
        block,
      )
      const uses = usesOf(new Map(declarationsOf(block)))
      if (![...uses.values()].some((ids) => ids.length > 0)) continue
      for (const selector of new Set([...selectors].map(keyOf)))
        this.#rules
          .set(selector, this.#rules.get(selector) ?? [])
          .get(selector)
          ?.push(uses)
    }
  }

  #addExact(selectors: readonly string[], block: string): void {
    const order = this.#declarations++
    const declared = [...declarationsOf(block)]
      .map(([written, value]) => ({ name: written.toLowerCase(), ids: urlsOf(value), order }))
      .filter(({ name }) => referable.some(([property]) => property.test(name)))
    if (declared.length === 0) return
    for (const selector of selectors) {
      const rule = this.#exactRules.get(selector) ?? new Map<string, Declared>()
      this.#exactRules.set(selector, rule)
      for (const { name, ...value } of declared) rule.set(name, value)
    }
  }

  /** What an element names, with the rules that certainly match it. */
  #certainUses({ keys, uses, styled }: Part): Uses {
    const rules = keys.map((key) => ({ key, rule: this.#exactRules.get(key) })).filter(({ rule }) => rule)
    if (rules.length === 0) return uses
    const all = new Map(uses)
    /** Orders of what classes have set. */
    const orders = new Map<string, number>()
    for (const { key, rule } of rules)
      for (const [name, { ids, order }] of rule ?? []) {
        if (styled.has(name) || (key.startsWith('.') && order < (orders.get(name) ?? 0))) continue
        if (key.startsWith('.')) orders.set(name, order)
        all.set(name, ids)
      }
    return all
  }

  /** @throws FileRejected for circular or deeply nested references, too many shapes, or too many selectors */
  assertBounded(): void {
    const all = this.#parts.length
    const { simple, sibling, relative } = this.#selectors
    const siblings = this.#parts.reduce((sum, { count }) => sum + count * count, 0)
    const pairs = siblings * sibling + all * all * relative
    if (all * simple + pairs / pairsPerMatch > maxMatches)
      throw new FileRejected('The styles of the drawing have too many selectors.')
    this.#handDown()
    this.#assertAcyclic()
  }

  /** Adds to each element what its ancestors pass on, and what style sheets may give it. */
  #handDown(): void {
    const passed: Uses[] = []
    for (const [number, part] of this.#parts.entries()) {
      const above = passed[part.parent] ?? none
      const rules = part.keys.flatMap((key) => this.#rules.get(key) ?? [])
      const uses = new Map(above.size === 0 ? part.uses : [...above, ...part.uses])
      for (const rule of rules)
        for (const [name, ids] of rule) uses.set(name, [...new Set([...(uses.get(name) ?? []), ...ids])])
      part.given = uses
      part.certain = this.#certainUses(part)
      const own = [...uses].filter(([name]) => inheritable.test(name))
      passed[number] = own.length === 0 ? above : new Map(own)
    }
  }

  #assertAcyclic(): void {
    const drawn = new Map<number, Drawn>()
    const open = new Set<number>()
    const pending = [0]
    // An explicit stack instead of recursion: chains of references may be as long as the drawing.
    for (let number = pending.at(-1); number !== undefined; number = pending.at(-1)) {
      const part = this.#parts[number]
      if (!part || drawn.has(number)) pending.pop()
      else if (open.has(number)) {
        pending.pop()
        open.delete(number)
        const own = [...part.children, ...this.#targets(part, part.uses)]
        drawn.set(
          number,
          sumOf(part, { own, all: [...part.children, ...this.#targets(part, part.given)] }, drawn),
        )
      } else {
        open.add(number)
        if (this.#targets(part, part.certain).some((to) => open.has(to)))
          throw new FileRejected('The drawing contains circular references.')
        // Programs break circles of paints that are inherited.
        for (const next of [...part.children, ...this.#targets(part, part.given)])
          if (!drawn.has(next) && !open.has(next)) pending.push(next)
      }
    }
  }

  #targets(part: Part, uses: Uses): number[] {
    return [...uses].flatMap(([property, ids]) =>
      ids.flatMap((id) => {
        const to = this.#byId.get(id)
        const target = this.#parts[to ?? -1]
        return to !== undefined && target && canReference(property, part.name, target.name) ? [to] : []
      }),
    )
  }
}

function sumOf(
  { name }: Part,
  { own, all }: { own: readonly number[]; all: readonly number[] },
  drawn: ReadonlyMap<number, Drawn>,
): Drawn {
  const ownCost = shapeElements.has(name) && name !== 'use' ? 1 : 0
  const sum = { shapes: ownCost, painted: ownCost, depth: 1 }
  for (const part of own) sum.shapes += drawn.get(part)?.shapes ?? 0
  for (const part of all) {
    sum.painted += drawn.get(part)?.painted ?? 0
    sum.depth = Math.max(sum.depth, (drawn.get(part)?.depth ?? 0) + 1)
  }
  if (sum.shapes > maxShapes || sum.painted > maxPainted)
    throw new FileRejected('The drawing reuses its own elements too many times.')
  if (sum.depth > maxDepth) throw new FileRejected('The references in the drawing are too deeply nested.')
  return sum
}

function canReference(property: string, from: string, to: string): boolean {
  if (!property.endsWith('href')) {
    // An inherited value is a reference of the element that declares it only.
    if (/^(?:fill|stroke)$/.test(property) && !shapeElements.has(from) && !/^(?:tspan|textPath)$/.test(from))
      return false
    if (property.startsWith('marker') && !lineShape.test(from)) return false
    return referable.some(([name, target]) => name.test(property) && target.test(to))
  }
  if (from === 'a') return false
  if (from === 'use' || from === 'feImage' || from === 'textPath') return true
  // Gradients, patterns and filters inherit missing attributes from each other.
  return from.endsWith('Gradient') ? to.endsWith('Gradient') : from === to
}

/** A simple selector that each element has that the selector is about: of its last part, `#id`, `.class`, a name or `*`. */
function keyOf(selector: string): string {
  if (/[([]/.test(selector)) return '*'
  const last = selector.split(/[\s>+~]/).findLast((part) => part !== '') ?? ''
  return /#[^.#:]+/.exec(last)?.[0] ?? /\.[^.#:]+/.exec(last)?.[0] ?? /^[^.#:]+/.exec(last)?.[0] ?? '*'
}

/** The ids in attributes and their `style`, which takes precedence. */
function usesOf(attributes: Attributes): Map<string, readonly string[]> {
  const uses = new Map<string, readonly string[]>()
  const others = [...attributes].filter(([name]) => name !== 'style' && name !== 'id')
  for (const [written, value] of [...others, ...declarationsOf(attributes.get('style') ?? '')]) {
    const name = written.toLowerCase()
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
