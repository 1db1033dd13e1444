// Private members of mysql2 that the driver uses: a release that moves them must fail here first.
import { Socket } from 'node:net'
import { createPool, type PoolConnection } from 'mysql2'
import type { ConnectionInternals } from '../../../src/db/kill.ts'
import { socketOf } from '../../../src/db/mysql-statement.ts'
import { freshAddress } from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'

onServers('mysql2: a connection queues its commands, the end of its pool among them', async (t, engine) => {
  const pool = createPool({ uri: await freshAddress(t, engine), connectionLimit: 1 })
  const connection = await new Promise<PoolConnection>((resolve, reject) =>
    pool.getConnection((error, opened) => (error ? reject(error) : resolve(opened))),
  )
  t.ok(socketOf(connection) instanceof Socket)
  const internals = connection as unknown as ConnectionInternals
  const statement = new Promise((resolve) => connection.query('select sleep(0.2)', resolve))
  connection.query('select 1')
  const ended = new Promise((resolve) => pool.end(resolve))
  const names = []
  for (let remaining = internals._commands.length; remaining > 0; remaining--) {
    const command = internals._commands.shift()
    names.push(command.constructor.name)
    if (command.constructor.name === 'Quit') t.type(command.onResult, 'function')
    internals._commands.push(command)
  }
  t.same(names, ['Query', 'Quit'])
  t.type(internals.addCommand, 'function')
  await Promise.all([statement, ended])
})
