// How much a drawing grows when all its references are followed: a few lines can stand for billions of shapes.
import { FileRejected } from './rejected.ts'

const DRAWN = 500_000

interface Node {
  parent: number
  id: string | undefined
  targets: string[]
}

/** Elements in document order, each with the ids it refers to. */
export class References {
  readonly #nodes: Node[] = []

  /** Adds an element and answers its number; `parent` is the number of its parent, -1 for the root. */
  add(parent: number, id: string | undefined, targets: string[]): number {
    return this.#nodes.push({ parent, id, targets }) - 1
  }

  /** Throws FileRejected when following every reference would draw too many elements. A reference to itself counts as nothing. */
  assertBounded(): void {
    if (!this.#nodes.some((node) => node.targets.length > 0)) return
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
      if (weight > DRAWN) throw new FileRejected('The drawing repeats its own parts too many times.')
      weights.set(node, weight)
    }
  }

  /** For each element, the elements within it and those it refers to. */
  #edges(): number[][] {
    const byId = new Map<string, number>()
    for (const [number, { id }] of this.#nodes.entries())
      if (id !== undefined && !byId.has(id)) byId.set(id, number)
    const edges: number[][] = this.#nodes.map(() => [])
    for (const [number, { parent, targets }] of this.#nodes.entries()) {
      edges[parent]?.push(number)
      for (const target of targets) {
        const found = byId.get(target)
        if (found !== undefined) edges[number]?.push(found)
      }
    }
    return edges
  }
}
