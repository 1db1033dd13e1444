// Finds the subcommand of `svc-api`, parses its options, and turns failures into one sentence and an exit code.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { isTypo } from '../core/check-options.ts'
import { version } from '../core/version.ts'
import { auditCommand } from './audit.ts'
import { checkCommand } from './check.ts'
import { type Command, exit, type Output, UsageError } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { eraseCustomerCommand } from './erase-customer.ts'
import { reasonOf } from './failure.ts'
import { fontsCommand } from './fonts.ts'
import { imposeCommand } from './impose.ts'
import { initCommand } from './init.ts'
import { mcpCommand } from './mcp.ts'
import { migrateCommand } from './migrate.ts'
import { openapiCommand } from './openapi.ts'
import { preflightCommand } from './preflight.ts'
import { serveCommand } from './serve.ts'
import { plainLine, plainText } from './terminal.ts'
import { tokenCommand } from './token.ts'
import { tokensCommand } from './tokens.ts'
import { webhooksCommand } from './webhooks.ts'

const commands: Record<string, Command> = {
  init: initCommand,
  serve: serveCommand,
  check: checkCommand,
  doctor: doctorCommand,
  migrate: migrateCommand,
  token: tokenCommand,
  tokens: tokensCommand,
  audit: auditCommand,
  webhooks: webhooksCommand,
  preflight: preflightCommand,
  impose: imposeCommand,
  fonts: fontsCommand,
  openapi: openapiCommand,
  mcp: mcpCommand,
  'erase-customer': eraseCustomerCommand,
}

const sharedOptions = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig

const overview = `svc-api ${version}: the REST API of a web-to-print product customizer

Usage: svc-api <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}`)
  .join('\n')}

  --json          print the result as JSON
  --help          explain a command
  --version       print the version

The installation is that of the environment: DATABASE_URL, TABLE_PREFIX, SITE_URL, BASE_URL, UPLOADS_DIR,
and DATABASE_WAIT, the seconds to wait for a database that is still starting (0).
Exit codes: 0 success, 1 a problem was found or the command failed, 2 wrong arguments or environment.`

/** The parts of the process that a run of the program uses, so that tests can pass others. */
export interface Surroundings {
  variables: NodeJS.ProcessEnv
  stdout(text: string): void
  stderr(text: string): void
}

/** How a command prints: text or JSON. */
const output = ({ json }: { json: boolean }, { stdout, stderr }: Surroundings): Output => ({
  json,
  print(text, data) {
    if (json) stdout(`${plainText(JSON.stringify(data, null, 2))}\n`)
    else stdout(`${typeof text === 'string' ? plainText(text) : text.map(plainLine).join('\n')}\n`)
  },
  say: (line) => stderr(`${plainLine(line)}\n`),
})

/** Runs the program with these arguments. @returns the exit code; undefined for success, or to go on serving */
export async function runProgram(args: string[], surroundings: Surroundings): Promise<number | undefined> {
  try {
    return await main(args, surroundings)
  } catch (error) {
    return fail(error, args, surroundings)
  }
}

async function main(args: string[], surroundings: Surroundings): Promise<number | undefined> {
  const [name, ...commandArgs] = args
  if (name === undefined) throw new UsageError(overview)
  const { print } = output({ json: false }, surroundings)
  if (name === '--version') print(version, version)
  else if (name === '--help' || name === '-h' || name === 'help') print(overview, overview)
  else {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!command) throw new UsageError(unknownCommand(name))
    const { values: flags, positionals: operands } = parseFlags(name, command, commandArgs)
    if (flags.help) print(command.help, command.help)
    else
      return command.run({
        ...output({ json: flags.json === true }, surroundings),
        variables: surroundings.variables,
        flags,
        operands,
      })
  }
  return exit.ok
}

function unknownCommand(name: string): string {
  const commandNames = Object.keys(commands)
  const similarName = commandNames.find((command) => isTypo(name, command))
  const guess = similarName === undefined ? '' : ` (did you mean ${similarName}?)`
  return `There is no command ${JSON.stringify(name)}${guess}. Known are ${commandNames.join(', ')}.`
}

function parseFlags(name: string, { options, takesOperands = false }: Command, args: string[]) {
  const { version: _, ...shared } = sharedOptions
  try {
    return parseArgs({ args, options: { ...shared, ...options }, allowPositionals: takesOperands })
  } catch (error) {
    // The sentences after the first one give advice about arguments that begin with a hyphen, which no command takes.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\.$/, 1)
    throw new UsageError(`${sentence}. See svc-api ${name} --help.`)
  }
}

/** Prints why the program failed: to stderr, and with `--json` to stdout, too. @returns the exit code */
export function fail(error: unknown, args: readonly string[], surroundings: Surroundings): number {
  const reason = reasonOf(error, surroundings.variables.DATABASE_URL)
  // `svc-api mcp` has its own protocol on stdout.
  const isJson = args.includes('--json') && args[0] !== 'mcp'
  const { json, print, say } = output({ json: isJson }, surroundings)
  if (json) print('', { error: reason })
  if (!(error instanceof UsageError)) {
    say(reason)
    return exit.problem
  }
  surroundings.stderr(`${plainText(error.message)}\n`)
  return exit.usage
}
