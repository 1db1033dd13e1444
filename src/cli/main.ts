#!/usr/bin/env node
// The program `svc-api`: refuses a Node.js that cannot run it with one sentence, before it loads anything else.
import { nodeProblem } from './node-version.ts'

const problem = nodeProblem(process.versions.node)
if (problem === undefined) await import('./run.ts')
else {
  const args = process.argv.slice(2)
  if (args.includes('--json') && args[0] !== 'mcp')
    process.stdout.write(`${JSON.stringify({ error: problem }, null, 2)}\n`)
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
