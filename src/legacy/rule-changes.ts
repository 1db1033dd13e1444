// Finds what PHP changed in the list of rules, by comparing it with the lists that this API wrote last.
import type { MirroredRule } from './import-record.ts'

/** A rule in the option, as PHP or this API wrote it. */
export interface RuleEntry {
  name: string
  /** `fingerprint` of its data. */
  tag: string
  /** The whole entry, with properties that only legacy installations know. */
  content: object
}

/** The differences between a list that was mirrored and the current one. */
export interface RuleChanges {
  /** Rules in both lists, changed or not. */
  matched: { mirrored: MirroredRule; entry: RuleEntry }[]
  added: RuleEntry[]
  removed: MirroredRule[]
}

/**
 * Matches the entries with the rules of a mirrored list: first those with the same name and data, then of the rest those with the
 * same name (changed data), then those with the same data (a new name).
 */
export function changesSince(
  mirroredList: readonly MirroredRule[],
  entries: readonly RuleEntry[],
): RuleChanges {
  const changes: RuleChanges = { matched: [], added: [...entries], removed: [...mirroredList] }
  matchBy(({ name, tag }) => `${tag} ${name}`, changes)
  matchBy(({ name }) => name, changes)
  matchBy(({ tag }) => tag, changes)
  return changes
}

/** Moves the added and removed rules with the same key to the matched ones. */
function matchBy(keyOf: (rule: { name: string; tag: string }) => string, changes: RuleChanges): void {
  const removedByKey = Map.groupBy(changes.removed, keyOf)
  const matchedRules = new Set<MirroredRule>()
  const added: RuleEntry[] = []
  for (const entry of changes.added) {
    const mirrored = removedByKey.get(keyOf(entry))?.shift()
    if (mirrored) {
      changes.matched.push({ mirrored, entry })
      matchedRules.add(mirrored)
    } else added.push(entry)
  }
  changes.added = added
  changes.removed = changes.removed.filter((rule) => !matchedRules.has(rule))
}

const isChanged = ({ mirrored, entry }: RuleChanges['matched'][number]) =>
  mirrored.name !== entry.name || mirrored.tag !== entry.tag

const numberOfChanges = ({ matched, added, removed }: RuleChanges) =>
  matched.filter(isChanged).length + added.length + removed.length

/**
 * Returns what PHP changed, and the mirrored list (`base`) from which PHP started. PHP reads the list, changes it and writes all
 * of it. If this API wrote in between (`isStale`), its changes are missing there, but PHP has not undone them. So the base is the
 * mirrored list with the fewest changes, at least one, because PHP writes only lists that it changed.
 *
 * Example: PHP reads A, B. The API adds C and writes A, B, C. PHP adds P and writes A, B, P. Compared with A, B, C, PHP would have
 * removed C and added P; compared with A, B it added P. So A, B is the base, and C stays in the table.
 * @param mirroredLists newest first, at least one
 */
export function changesFromPhp(mirroredLists: readonly MirroredRule[][], entries: readonly RuleEntry[]) {
  const candidates = mirroredLists.map((base) => ({ base, changes: changesSince(base, entries) }))
  const newest = candidates[0] ?? { base: [], changes: changesSince([], entries) }
  // Equal to an earlier list: PHP undid our later changes.
  if (candidates.some(({ changes }) => numberOfChanges(changes) === 0)) return { ...newest, isStale: false }
  const best = candidates.reduce(
    (a, b) => (numberOfChanges(b.changes) <= numberOfChanges(a.changes) ? b : a),
    newest,
  )
  return { ...best, isStale: best !== newest }
}
