// Prints the API token of the installation that the environment configures: `npm run --silent token`.
import { ensureToken } from 'svc-api'
import { readEnvironment } from './environment.ts'
import { reasonOf } from './start-error.ts'

try {
  const { database, tablePrefix } = readEnvironment(process.env)
  console.log(await ensureToken({ database, tablePrefix }))
} catch (error) {
  console.error(`The token cannot be shown. ${reasonOf(error, process.env.DATABASE_URL)}`)
  process.exitCode = 1
}
