// Runs the program in this process.
import { exit } from './command.ts'
import { fail, runProgram, type Surroundings } from './program.ts'

const args = process.argv.slice(2)
const surroundings: Surroundings = {
  variables: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
}

/** A reader that has seen enough, as `| head`, is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? exit.ok : exit.problem),
)
// Connections report some failures beside the promise that the command waits for.
process.on('uncaughtException', (error) => process.exit(fail(error, args, surroundings)))

process.exitCode = await runProgram(args, surroundings)
