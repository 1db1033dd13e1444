/** Starts a private MariaDB server for tests, with an empty database for each test. */
import type { Test } from 'tap'
import { ensureCommands } from '../debian.ts'
import { type DatabaseServer, freshDatabaseOn, type ServerOptions, startServer } from './database-server.ts'

/** Starts a private server on a temporary folder, on a free port of 127.0.0.1 below 32768. */
export async function startMariadb(options: ServerOptions = {}): Promise<DatabaseServer> {
  const commands = await ensureCommands({
    mariadbd: 'mariadb-server-core',
    'mariadb-install-db': 'mariadb-server-core',
    // The installer reads its settings with this program.
    my_print_defaults: 'mariadb-client-core',
  })
  const program = {
    name: 'MariaDB',
    install: '"$installer" --no-defaults --auth-root-authentication-method=normal --skip-test-db "$1" "$2"',
    installer: commands['mariadb-install-db'],
    server: commands.mariadbd,
    flags: ['--skip-log-bin'],
  }
  return startServer(program, options)
}

let ownServer: Promise<string> | undefined

/**
 * Creates an empty utf8mb4 database for the test `t` and returns its mysql:// URL; it is dropped with the test.
 * It lies on the server that `SVC_TEST_MARIADB` names, else on one of this process, which ends with it.
 */
export async function freshDatabase(t: Test): Promise<string> {
  ownServer ??= process.env.SVC_TEST_MARIADB
    ? Promise.resolve(process.env.SVC_TEST_MARIADB)
    : startMariadb().then((server) => server.url())
  return freshDatabaseOn(t, await ownServer)
}
