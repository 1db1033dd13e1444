// What PHP did to the list of rules: found by comparing it with what one of our last mirrors wrote.
import type { RuleBase } from './rows.ts'

/** An entry of the list as it is now. */
export interface Entry {
  name: string
  /** `fingerprint` of its data. */
  tag: string
  /** As the list holds it, with whatever only legacy installations know. */
  whole: object
}

export interface Changes {
  /** Entries that the base had, changed or not. */
  kept: [base: RuleBase, entry: Entry][]
  added: Entry[]
  removed: RuleBase[]
}

/** Pairs entries with those of a base: by name and data, by name, and at last by data alone, which is a new name. */
export function changesSince(base: readonly RuleBase[], entries: readonly Entry[]): Changes {
  const kept: Changes['kept'] = []
  let removed = [...base]
  let added = [...entries]
  const pairBy = (keyOfBase: (base: RuleBase) => string, keyOfEntry: (entry: Entry) => string) => {
    const waiting = Map.groupBy(removed, keyOfBase)
    const taken = new Set<RuleBase>()
    added = added.filter((entry) => {
      const match = waiting.get(keyOfEntry(entry))?.shift()
      if (match) {
        kept.push([match, entry])
        taken.add(match)
      }
      return !match
    })
    removed = removed.filter((one) => !taken.has(one))
  }
  const joined = (name: string, tag: string) => `${tag} ${name}`
  pairBy(
    ([, name, tag]) => joined(name, tag),
    ({ name, tag }) => joined(name, tag),
  )
  pairBy(
    ([, name]) => name,
    ({ name }) => name,
  )
  pairBy(
    ([, , tag]) => tag,
    ({ tag }) => tag,
  )
  return { kept, added, removed }
}

const isChanged = ([[, name, tag], entry]: [RuleBase, Entry]) => name !== entry.name || tag !== entry.tag

export const sizeOf = ({ kept, added, removed }: Changes) =>
  kept.filter(isChanged).length + added.length + removed.length

/**
 * The mirror that PHP's list was made from, with what PHP changed. PHP reads the list, changes it and writes all of it:
 * where we wrote in between, what we did is missing there, and must not count as undone by PHP. So it is the mirror that
 * leaves the fewest changes; PHP writes no list that it did not change.
 * @param generations newest first, at least one
 */
export function changesByPhp(generations: readonly RuleBase[][], entries: readonly Entry[]) {
  const candidates = generations.map((base) => ({ base, changes: changesSince(base, entries) }))
  const newest = candidates[0] ?? { base: [], changes: changesSince([], entries) }
  // Equal to an older mirror: PHP undid what we did since then.
  if (candidates.some(({ changes }) => sizeOf(changes) === 0)) return { ...newest, isStale: false }
  const best = candidates.reduce((a, b) => (sizeOf(b.changes) <= sizeOf(a.changes) ? b : a), newest)
  return { ...best, isStale: best !== newest }
}
