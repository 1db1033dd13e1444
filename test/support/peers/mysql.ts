/**
 * Starts a private MySQL server for tests, with an empty database for each test. MySQL itself, not MariaDB, which Debian's
 * releases have instead: a `mysqld` of MySQL on the PATH, else the one of Debian's unstable suite, unpacked and kept.
 */
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { findCommands, unpackUnstable } from '../debian.ts'
import { type DatabaseServer, freshDatabaseOn, type ServerOptions, startServer } from './database-server.ts'

/** Starts a private server on a temporary folder, on a free port of 127.0.0.1 below 32768. */
export async function startMysql(options: ServerOptions = {}): Promise<DatabaseServer> {
  found ??= mysqlProgram()
  const mysqld = await found
  const program = {
    name: 'MySQL',
    // The only user that it creates, root@localhost, may not use TCP while host names are not looked up.
    install: `
      cat >"$folder/users.sql" <<'EOT'
create user root@127.0.0.1;
grant all on *.* to root@127.0.0.1 with grant option;
EOT
      "$installer" --no-defaults --initialize-insecure --init-file="$folder/users.sql" "$1" "$2"`,
    installer: mysqld,
    server: mysqld,
    // The binary log with its GTIDs stays on as it is by default.
    flags: ['--performance-schema=OFF', '--mysqlx=OFF', '--secure-file-priv=NULL', '--sync-binlog=0'],
  }
  return startServer(program, options)
}

let found: Promise<string> | undefined

/** The path of a program that takes the arguments of `mysqld`. */
async function mysqlProgram(): Promise<string> {
  const installed = findCommands('mysqld').find(isMysql)
  if (installed) return installed
  const folder = join(tmpdir(), 'svc-tests-mysql')
  await unpackUnstable('mysql-server-core', folder)
  return starter(folder)
}

/** MariaDB has a program of this name, too. */
function isMysql(path: string): boolean {
  return !/mariadb/i.test(execFileSync(path, ['--version'], { encoding: 'utf8' }))
}

/** Writes the script that starts the unpacked server with its own loader and libraries. */
async function starter(folder: string): Promise<string> {
  const [loader] = globSync('usr/lib*/**/ld-linux*.so.*', { cwd: folder })
  const [libraries] = globSync('usr/lib/*-linux-gnu', { cwd: folder })
  const path = join(folder, 'start-mysqld')
  const script = `#!/bin/sh
cd '${folder}'
first=$1
shift
exec './${loader}' --library-path './${libraries}' usr/sbin/mysqld "$first" --basedir='${folder}/usr' \\
  --lc-messages-dir='${folder}/usr/share/mysql' --plugin-dir='${folder}/usr/lib/mysql/plugin' "$@"
`
  // Another process may be starting it.
  await writeFile(`${path}.${process.pid}`, script)
  await chmod(`${path}.${process.pid}`, 0o755)
  await rename(`${path}.${process.pid}`, path)
  return path
}

let ownServer: Promise<string> | undefined

/**
 * Creates an empty utf8mb4 database for the test `t` and returns its mysql:// URL; it is dropped with the test.
 * It lies on the server that `SVC_TEST_MYSQL` names, else on one of this process, which ends with it.
 */
export async function freshMysqlDatabase(t: Test): Promise<string> {
  ownServer ??= process.env.SVC_TEST_MYSQL
    ? Promise.resolve(process.env.SVC_TEST_MYSQL)
    : startMysql().then((server) => server.url())
  return freshDatabaseOn(t, await ownServer)
}
