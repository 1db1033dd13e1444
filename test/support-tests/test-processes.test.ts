// How a run of the tests judges each file.
import t, { type Test } from 'tap'
import { failuresOf, runTests, type TestResult, verdictOf } from '../support/test-processes.ts'

/** Runs one file with these tests for each of `sources`. */
async function runAll(
  t: Test,
  sources: Record<string, string>,
  times = { timeout: 60, grace: 20 },
): Promise<TestResult[]> {
  const paths: Record<string, string> = {}
  for (const [name, source] of Object.entries(sources))
    paths[name] = `import t from '${import.meta.resolve('tap')}'\n${source}\n`
  const root = t.testdir(
    Object.fromEntries(Object.entries(paths).map(([name, text]) => [`${name}.ts`, text])),
  )
  const how = {
    root,
    env: process.env,
    jobs: 2,
    ...times,
    signal: new AbortController().signal,
  }
  const results: TestResult[] = []
  for await (const result of runTests(
    Object.keys(sources).map((name) => `${name}.ts`),
    how,
  ))
    results.push(result)
  return results.sort((one, other) => (one.path < other.path ? -1 : 1))
}

t.test('a file that fails, skips, crashes or has no tests counts as failed', async (t) => {
  const results = await runAll(t, {
    crash: 't.pass(); setTimeout(() => process.exit(3), 100)',
    empty: '',
    failed: "t.test('sum', async (t) => t.equal(1, 2)); t.pass()",
    passed: 't.pass(); t.pass()',
    late: "t.pass(); setTimeout(() => { throw new Error('nobody awaits it') })",
    skipped: "t.test('later', { skip: 'no time' }, async () => {})",
  })
  t.strictSame(
    results.map(({ path, passed, failed, problem }) => [path, passed, failed, problem]),
    [
      ['crash.ts', 1, 1, 'ends with 3'],
      ['empty.ts', 0, 1, 'has no tests'],
      ['failed.ts', 1, 1, 'ends with 1'],
      ['late.ts', 1, 1, 'ends with 1'],
      ['passed.ts', 2, 0, undefined],
      ['skipped.ts', 0, 1, 'ends with 1'],
    ],
  )
  t.match(
    failuresOf(results[2]?.lines ?? []).join('\n'),
    /not ok 1 - should be equal[\s\S]*-2\n *\+1[\s\S]*not ok 1 - sum/,
  )
  t.notMatch(failuresOf(results[2]?.lines ?? []).join('\n'), /should be truthy/)
})

t.test('a process that hangs is killed', async (t) => {
  const [result] = await runAll(t, { hang: 'for (;;) {}' }, { timeout: 1, grace: 0 })
  t.match(result, { passed: 0, failed: 1, problem: 'is killed since it hangs' })
})

t.test('a failed assertion counts even where the process ends as if nothing had happened', async (t) => {
  const lines = ['not ok 1 - x', '# { total: 2, pass: 1, fail: 1 }']
  t.strictSame(verdictOf(lines, undefined), { passed: 1, failed: 1, problem: 'fails' })
  t.strictSame(verdictOf(['# { total: 2, pass: 2 }'], undefined), { passed: 2, failed: 0 })
})
