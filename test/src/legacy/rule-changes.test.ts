// What PHP changed in the list of rules, found by comparison with what we wrote before.
import t from 'tap'
import type { MirroredRule } from '../../../src/legacy/import-record.ts'
import { changesFromPhp, changesSince, type RuleEntry } from '../../../src/legacy/rule-changes.ts'

const entry = (name: string, tag: string): RuleEntry => ({ name, tag, content: {} })
const base = (id: number, name: string, tag: string): MirroredRule => ({ id, name, tag })

/** Ids and names of what is kept, names of what was added, ids of what was removed. */
const summary = ({ matched, added, removed }: ReturnType<typeof changesSince>) => ({
  kept: matched.map(({ mirrored: { id }, entry: { name } }) => `${id} ${name}`),
  added: added.map(({ name }) => name),
  removed: removed.map(({ id }) => id),
})

t.test('an entry continues the rule of its name and data, else of its name, else of its data', async (t) => {
  const before = [
    base(1, 'A', 'x'),
    base(2, 'A', 'y'),
    base(3, 'B', 'z'),
    base(4, 'C', 'w'),
    base(5, 'D', 'v'),
  ]
  const now = [entry('A', 'y'), entry('B', 'changed'), entry('C2', 'w'), entry('New', 'new'), entry('A', 'x')]
  t.strictSame(summary(changesSince(before, now)), {
    kept: ['2 A', '1 A', '3 B', '4 C2'],
    added: ['New'],
    removed: [5],
  })
})

t.test('changesFromPhp: of two equal entries only one continues a rule', async (t) => {
  const now = [entry('A', 'x'), entry('A', 'x')]
  t.strictSame(summary(changesSince([base(1, 'A', 'x')], now)), { kept: ['1 A'], added: ['A'], removed: [] })
})

t.test('changesFromPhp: what PHP changed counts against the mirror with the fewest changes', async (t) => {
  const oldest = [base(1, 'A', 'x')]
  const older = [base(1, 'A', 'x'), base(2, 'B', 'y')]
  const newest = [base(1, 'A', 'x'), base(2, 'B', 'y'), base(3, 'C', 'z')]
  const found = (...names: string[]) => {
    const tags: Record<string, string> = { A: 'x', B: 'y', C: 'z', P: 'p' }
    const list = names.map((name) => entry(name, tags[name] ?? ''))
    const { base, changes, isStale } = changesFromPhp([newest, older, oldest], list)
    return { base: base.length, isStale, ...summary(changes) }
  }
  t.match(found('A', 'B', 'C', 'P'), { base: 3, isStale: false, added: ['P'], removed: [] })
  t.match(found('A', 'B', 'P'), { base: 2, isStale: true, added: ['P'], removed: [] })
  t.match(found('A', 'P'), { base: 1, isStale: true, added: ['P'], removed: [] })
  t.match(found('A', 'B', 'C'), { base: 3, isStale: false, added: [], removed: [] })
  t.match(
    found('A', 'B'),
    { base: 3, isStale: false, added: [], removed: [3] },
    'the list of an earlier mirror',
  )
})

t.test('changesFromPhp: without a mirror everything was added', async (t) => {
  const { changes, isStale } = changesFromPhp([], [entry('A', 'x')])
  t.strictSame([summary(changes).added, isStale], [['A'], false])
})

t.test('changesFromPhp: a changed name and changed data count as one change each', async (t) => {
  const older = [base(1, 'A', 'x'), base(2, 'B', 'y')]
  const newest = [base(1, 'A', 'other'), base(2, 'other', 'z')]
  const { base: found, isStale } = changesFromPhp([newest, older], [entry('A', 'x'), entry('B', 'new')])
  t.strictSame([found, isStale], [older, true])
})
