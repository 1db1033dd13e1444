// Runs the program in this process; main.ts imports it when the Node.js is new enough.
import { exit } from './command.ts'
import { fail, runProgram, type Surroundings } from './program.ts'

const args = process.argv.slice(2)
const surroundings: Surroundings = {
  variables: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
}

// A reader that closes the pipe early, such as `| head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? exit.ok : exit.problem),
)
// Connections emit some errors that no promise of the command rejects with.
process.on('uncaughtException', (error) => process.exit(fail(error, args, surroundings)))

process.exitCode = await runProgram(args, surroundings)
