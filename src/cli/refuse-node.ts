// Throws a sentence on a Node.js that cannot run this package. The entry points of the package import it first.
import { nodeProblem } from './node-version.ts'

const problem = nodeProblem(process.versions.node)
if (problem !== undefined) throw new Error(problem)
