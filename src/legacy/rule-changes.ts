// Finds what PHP changed in the list of rules, by comparing it with our last mirrors.
import type { RuleBase } from './rows.ts'

/** An entry of the current list. */
export interface Entry {
  name: string
  /** `fingerprint` of its data. */
  tag: string
  /** The whole entry, with properties that only legacy installations know. */
  content: object
}

export interface Changes {
  /** Entries of the base, changed or not. */
  kept: [base: RuleBase, entry: Entry][]
  added: Entry[]
  removed: RuleBase[]
}

/** Matches entries with those of a base: by name and data, then by name, then by data (a new name). */
export function changesSince(base: readonly RuleBase[], entries: readonly Entry[]): Changes {
  const kept: Changes['kept'] = []
  let removed = [...base]
  let added = [...entries]
  const pairBy = (keyOf: (name: string, tag: string) => string) => {
    const waiting = Map.groupBy(removed, ([, name, tag]) => keyOf(name, tag))
    const taken = new Set<RuleBase>()
    added = added.filter((entry) => {
      const match = waiting.get(keyOf(entry.name, entry.tag))?.shift()
      if (match) {
        kept.push([match, entry])
        taken.add(match)
      }
      return !match
    })
    removed = removed.filter((base) => !taken.has(base))
  }
  pairBy((name, tag) => `${tag} ${name}`)
  pairBy((name) => name)
  pairBy((_name, tag) => tag)
  return { kept, added, removed }
}

const isChanged = ([[, name, tag], entry]: [RuleBase, Entry]) => name !== entry.name || tag !== entry.tag

const sizeOf = ({ kept, added, removed }: Changes) =>
  kept.filter(isChanged).length + added.length + removed.length

/**
 * The mirror that PHP started from, with what PHP changed. PHP reads the list, changes it and writes all of it. If we wrote
 * in between, our changes are missing there, but PHP has not undone them. So the base is the mirror with the fewest
 * changes, at least one, because PHP writes only lists that it changed.
 * @param generations newest first, at least one
 */
export function changesByPhp(generations: readonly RuleBase[][], entries: readonly Entry[]) {
  const candidates = generations.map((base) => ({ base, changes: changesSince(base, entries) }))
  const newest = candidates[0] ?? { base: [], changes: changesSince([], entries) }
  // Equal to an earlier mirror: PHP undid our later changes.
  if (candidates.some(({ changes }) => sizeOf(changes) === 0)) return { ...newest, isStale: false }
  const best = candidates.reduce((a, b) => (sizeOf(b.changes) <= sizeOf(a.changes) ? b : a), newest)
  return { ...best, isStale: best !== newest }
}
