// How much a drawing grows when all its references are followed: a few lines can stand for billions of shapes.
import { FileRejected } from '../rejected.ts'

const DRAWN = 500_000
/** How many ids may be looked up, and paints handed down. */
const FOLLOWED = 3_000_000

/** The ids that an element or a rule draws with, by the attribute or property that names them. */
type Uses = ReadonlyMap<string, ReadonlySet<string>>

interface Node {
  parent: number
  id: string | undefined
  /** By which a rule may choose it. */
  names: ReadonlySet<string>
  uses: Uses
}

const URLS = /url\(\s*["']?#([^"')\s]+)/gi
/** What is said by these holds for everything within, until that says otherwise. */
const HANDED_DOWN = /^(?:fill|stroke|marker.*|--.*)$/i
const PAINT = /^(?:fill|stroke)$/i
const DECLARATIONS = /([\w-]+)\s*:([^;]*)/g
const RULES = /([^{}]*)\{([^{}]*)\}/g
const NAMES = /[.#]?[\w\u0080-\uffff-]+/g

/** Elements in document order and the rules of the style sheets, each with the ids that they draw with. */
export class References {
  readonly #nodes: Node[] = []
  readonly #rules = new Map<string, Map<string, Set<string>>>()

  /** Adds an element and answers its number; `parent` is the number of its parent, -1 for the root. */
  add(parent: number, name: string, attributes: ReadonlyMap<string, string>): number {
    const { id, class: classes = '', style = '', ...others } = Object.fromEntries(attributes)
    const names = new Set([name, `#${id}`, ...classes.split(/\s+/).map((each) => `.${each}`), '*'])
    const uses = usesOf([...Object.entries(others), ...declared(style)])
    return this.#nodes.push({ parent, id, names, uses }) - 1
  }

  /** Adds a sheet. Its rules count for every element that bears one of their names, rather too many than too few. */
  addSheet(css: string): void {
    for (const [, selector = '', block = ''] of css.matchAll(RULES)) {
      if (!block.includes('#')) continue
      for (const name of /[*:[]/.test(selector) ? ['*'] : (selector.match(NAMES) ?? [])) {
        const rule = this.#rules.get(name) ?? new Map<string, Set<string>>()
        this.#rules.set(name, rule)
        for (const [property, ids] of usesOf(declared(block))) {
          if (ids.size === 0) continue
          const known = rule.get(property) ?? new Set<string>()
          rule.set(property, known)
          for (const id of ids) known.add(id)
        }
      }
    }
  }

  /** Throws FileRejected when following every reference would draw too many elements. A reference to itself counts as nothing. */
  assertBounded(): void {
    const edges = this.#edges()
    const weights = new Map<number, number>()
    const open = new Set<number>()
    const pending = [0]
    // A stack of our own instead of recursion: chains of references may be as long as the drawing.
    for (let node = pending.at(-1); node !== undefined; node = pending.at(-1)) {
      const next = edges[node] ?? []
      if (!open.has(node) && !weights.has(node)) {
        open.add(node)
        pending.push(...next.filter((each) => !weights.has(each) && !open.has(each)))
        continue
      }
      pending.pop()
      if (weights.has(node)) continue
      open.delete(node)
      const weight = next.reduce((sum, each) => sum + (weights.get(each) ?? 0), 1)
      if (weight > DRAWN) throw tooMany()
      weights.set(node, weight)
    }
  }

  /** For each element, the elements within it and those it draws with. */
  #edges(): number[][] {
    const byId = new Map<string, number>()
    for (const [number, { id }] of this.#nodes.entries())
      if (id !== undefined && !byId.has(id)) byId.set(id, number)
    const edges: number[][] = this.#nodes.map(() => [])
    const paints: Uses[] = []
    const budget = { left: FOLLOWED }
    for (const [number, node] of this.#nodes.entries()) {
      edges[node.parent]?.push(number)
      const handed = paints[node.parent] ?? new Map()
      const said = [node.uses, ...[...node.names].flatMap((name) => this.#rules.get(name) ?? [])]
      const [own, inherited] = drawn(said, handed, budget)
      paints.push(inherited)
      for (const ids of [own, ...inherited.values()]) {
        for (const id of ids) {
          spend(budget)
          const found = byId.get(id)
          if (found !== undefined) edges[number]?.push(found)
        }
      }
    }
    return edges
  }
}

function tooMany(): FileRejected {
  return new FileRejected('The drawing repeats its own parts too many times.')
}

function spend(budget: { left: number }, count = 1): void {
  budget.left -= count
  if (budget.left < 0) throw tooMany()
}

/** The ids that an element draws with by itself, and the paints that hold for it and what is within. */
function drawn(
  said: readonly Uses[],
  handed: Uses,
  budget: { left: number },
): [own: Set<string>, paints: Uses] {
  const own = new Set<string>()
  const paints = new Map<string, Set<string>>()
  for (const uses of said) {
    for (const [property, ids] of uses) {
      const to = HANDED_DOWN.test(property) ? (paints.get(property) ?? new Set()) : own
      if (to !== own) paints.set(property, to)
      for (const id of ids) {
        spend(budget)
        to.add(id)
      }
    }
  }
  if (paints.size === 0) return [own, handed]
  spend(budget, handed.size)
  return [own, new Map([...handed, ...paints])]
}

function usesOf(properties: Iterable<readonly [name: string, value: string]>): Uses {
  const uses = new Map<string, Set<string>>()
  for (const [name, value] of properties) {
    const link = name.endsWith('href') && value.startsWith('#')
    const ids = link ? [value.slice(1)] : [...value.matchAll(URLS)].map(([, id = '']) => id)
    // A paint without an id ends the one that was handed down.
    if (ids.length > 0 || PAINT.test(name)) uses.set(name, new Set(ids))
  }
  return uses
}

function declared(css: string): [name: string, value: string][] {
  return [...css.matchAll(DECLARATIONS)].map(([, name = '', value = '']) => [name, value])
}
