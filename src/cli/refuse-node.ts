// Imported before all else: a Node.js that cannot run this package is refused with one sentence.
import { nodeProblem } from './node-version.ts'

const problem = nodeProblem(process.versions.node)
if (problem !== undefined) throw new Error(problem)
