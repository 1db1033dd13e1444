// Sessions are ended by their ids, which a server that was started anew gives to somebody else's.
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, createConnection, createPool, type PoolConnection } from 'mysql2'
import t from 'tap'
import { killer } from '../../../src/db/kill.ts'
import { startMariadb } from '../../support/peers/mariadb.ts'

/** Milliseconds: uptimes are whole seconds, and a session of a server's first ones is spared. */
const young = 4000

const responds = (connection: Connection) =>
  new Promise<boolean>((resolve) => connection.query('select 1', (error) => resolve(!error)))

t.test('a session is ended, but never that which has its id after a restart of the server', async (t) => {
  const server = await startMariadb()
  t.teardown(() => server.stop())
  const pool = createPool(server.url())
  t.teardown(() => pool.end(() => {}))
  const opened = async () => {
    const connection = createConnection(server.url())
    connection.on('error', () => {})
    t.teardown(() => connection.destroy())
    await responds(connection)
    return connection
  }
  await delay(young)
  // The restart needs some ids itself.
  for (let i = 0; i < 400; i++) (await opened()).destroy()
  const session = () =>
    new Promise<PoolConnection>((resolve, reject) =>
      pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))),
    )
  const sessions = killer()
  const [one, other] = [await session(), await session()]
  for (const each of [one, other]) {
    sessions.register(each)
    t.ok(await responds(each))
  }
  t.equal(await sessions.kill(one).hasEnded, true)
  t.notOk(await responds(one))

  await delay(young)
  await server.kill()
  await server.restart()
  let stranger = await opened()
  while (Number(stranger.threadId) < other.threadId) stranger = await opened()
  t.equal(stranger.threadId, other.threadId)
  t.equal(await sessions.kill(other).hasEnded, true, 'it is gone')
  t.ok(await responds(stranger), 'with the restart')
})
