// Checks the references between the elements of a drawing: none may be circular or deeply nested, and together they may not draw
// too many shapes. How long the drawing takes to render is not estimated but measured, once it is sanitized (measure.ts).
import { FileRejected } from '../rejected.ts'
import { shapeElements, templateElements } from './allowed.ts'
import { declarationsOf } from './css.ts'
import { inheritable, isReferable, StyleReferences, type Uses, usesOf } from './style-references.ts'

/** Shapes to draw, each as often as other elements refer to it. */
const maxShapes = 60_000
/** The same with all paints that style sheets may set and elements inherit, which multiply as fast. */
const maxPainted = 1_000_000
/** Elements and references inside of each other: programs follow them recursively. */
const maxDepth = 250
/** Pairs of an element and a simple selector, each of which a program tries. */
const maxMatches = 100_000_000
/** Pairs of elements that a program compares, for selectors such as `:nth-child` and `:has`, in the time of one such try. */
const pairsPerMatch = 7

const lineShape = /^(?:path|line|polyline|polygon)$/
const noUses: Uses = new Map()

/** An element of the drawing. Elements refer to each other by their index in document order. */
interface Node {
  name: string
  /** The index of its parent; -1 for the root. */
  parent: number
  /** Its simple selectors: `*`, the name, `.class`, `#id`. */
  keys: readonly string[]
  /** Child elements that are drawn with it, which templates are not. */
  children: number[]
  /** The number of all child elements. */
  childCount: number
  /** References of its attributes. */
  uses: Uses
  /** Names of the properties in its `style` attribute, which no rule of a style sheet overrides. */
  styled: ReadonlySet<string>
  /** `uses`, with what rules set whose selector it certainly matches. */
  certainUses: Uses
  /** `uses`, with what it inherits and what style sheets may set. */
  possibleUses: Uses
}

/** What drawing an element takes, with all it contains and refers to. */
interface Cost {
  /** Shapes, by the references of attributes. */
  shapes: number
  /** Shapes, by all possible references. */
  painted: number
  /** Elements inside of each other on the longest way through children and possible references. */
  depth: number
}

/** Collects the elements and style sheets of a drawing in document order; `assertBounded` checks them at its end. */
export class References {
  readonly #nodes: Node[] = []
  readonly #byId = new Map<string, number>()
  readonly #styles = new StyleReferences()

  /** Adds an element and returns its index. `parent` is the index of its parent, -1 for the root. */
  add(parent: number, name: string, attributes: ReadonlyMap<string, string>): number {
    const id = attributes.get('id')
    const classes = attributes.get('class')?.split(/\s+/) ?? []
    const uses = usesOf(attributes)
    const styleProperties = Array.from(declarationsOf(attributes.get('style') ?? ''), ([property]) =>
      property.toLowerCase(),
    )
    const node: Node = {
      name,
      parent,
      keys: [
        '*',
        name,
        ...classes.map((className) => `.${className}`),
        ...(id === undefined ? [] : [`#${id}`]),
      ],
      children: [],
      childCount: 0,
      uses,
      styled: new Set(styleProperties),
      certainUses: uses,
      possibleUses: uses,
    }
    const index = this.#nodes.push(node) - 1
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, index)
    const parentNode = this.#nodes[parent]
    if (parentNode) parentNode.childCount++
    if (!templateElements.has(name)) parentNode?.children.push(index)
    return index
  }

  /** Adds a sanitized style sheet. */
  addSheet(css: string): void {
    this.#styles.addSheet(css)
  }

  /** @throws FileRejected for circular or deeply nested references, too many shapes, or too many selectors */
  assertBounded(): void {
    const count = this.#nodes.length
    const { simple, sibling, relative } = this.#styles.selectors
    const siblingPairs = this.#nodes.reduce((sum, { childCount }) => sum + childCount * childCount, 0)
    const pairs = siblingPairs * sibling + count * count * relative
    if (count * simple + pairs / pairsPerMatch > maxMatches)
      throw new FileRejected('The styles of the drawing have too many selectors.')
    this.#applyStyles()
    this.#assertCosts()
  }

  /** Sets the certain and the possible uses of each element; `assertBounded` calls it once, after all sheets. A parent comes before its children. */
  #applyStyles(): void {
    const inheritedUses: Uses[] = []
    for (const [index, node] of this.#nodes.entries()) {
      const inherited = inheritedUses[node.parent] ?? noUses
      const uses = new Map(inherited.size === 0 ? node.uses : [...inherited, ...node.uses])
      for (const rule of this.#styles.possibleUses(node.keys))
        for (const [name, ids] of rule) uses.set(name, [...new Set([...(uses.get(name) ?? []), ...ids])])
      node.possibleUses = uses
      node.certainUses = this.#styles.certainUses(node.keys, node.uses, node.styled)
      const passedOn = [...uses].filter(([name]) => inheritable.test(name))
      inheritedUses[index] = passedOn.length === 0 ? inherited : new Map(passedOn)
    }
  }

  /**
   * Walks from the root along children and references, depth first, and computes each element's cost once those of all it draws
   * are known. A stack instead of recursion: chains of references may be as long as the drawing.
   * @throws FileRejected for an element that costs too much, and for a circle of certain references; programs break circles of paints
   *   that are inherited
   */
  #assertCosts(): void {
    const costs = new Map<number, Cost>()
    /** Elements whose costs are being computed. */
    const open = new Set<number>()
    const stack = [0]
    for (let index = stack.at(-1); index !== undefined; index = stack.at(-1)) {
      const node = this.#nodes[index]
      if (!node || costs.has(index)) stack.pop()
      else if (open.has(index)) {
        stack.pop()
        open.delete(index)
        costs.set(index, this.#costOf(node, costs))
      } else {
        open.add(index)
        if (this.#targets(node, node.certainUses).some((target) => open.has(target)))
          throw new FileRejected('The drawing contains circular references.')
        for (const next of [...node.children, ...this.#targets(node, node.possibleUses)])
          if (!costs.has(next) && !open.has(next)) stack.push(next)
      }
    }
  }

  /** The cost of an element by those of the elements that it draws. @throws FileRejected if it exceeds a limit */
  #costOf(node: Node, costs: ReadonlyMap<number, Cost>): Cost {
    const shape = shapeElements.has(node.name) && node.name !== 'use' ? 1 : 0
    const cost = { shapes: shape, painted: shape, depth: 1 }
    for (const index of [...node.children, ...this.#targets(node, node.uses)])
      cost.shapes += costs.get(index)?.shapes ?? 0
    for (const index of [...node.children, ...this.#targets(node, node.possibleUses)]) {
      cost.painted += costs.get(index)?.painted ?? 0
      cost.depth = Math.max(cost.depth, (costs.get(index)?.depth ?? 0) + 1)
    }
    if (cost.shapes > maxShapes || cost.painted > maxPainted)
      throw new FileRejected('The drawing reuses its own elements too many times.')
    if (cost.depth > maxDepth) throw new FileRejected('The references in the drawing are too deeply nested.')
    return cost
  }

  /** The indexes of the elements that the uses lead to. */
  #targets(node: Node, uses: Uses): number[] {
    return [...uses].flatMap(([property, ids]) =>
      ids.flatMap((id) => {
        const index = this.#byId.get(id)
        const target = this.#nodes[index ?? -1]
        return index !== undefined && target && canReference(property, node.name, target.name) ? [index] : []
      }),
    )
  }
}

/** Whether a property of an element of the name `from` draws an element of the name `to`. */
function canReference(property: string, from: string, to: string): boolean {
  if (!property.endsWith('href')) {
    // Only shapes and parts of texts are painted; others pass the paint on.
    if (/^(?:fill|stroke)$/.test(property) && !shapeElements.has(from) && !/^(?:tspan|textPath)$/.test(from))
      return false
    if (property.startsWith('marker') && !lineShape.test(from)) return false
    return isReferable(property, to)
  }
  if (from === 'a') return false
  if (from === 'use' || from === 'feImage' || from === 'textPath') return true
  // Gradients, patterns and filters inherit missing attributes from each other.
  return from.endsWith('Gradient') ? to.endsWith('Gradient') : from === to
}
