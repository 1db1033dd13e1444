// Which errors of MySQL and MariaDB a write is repeated after, and which leave open what became of it.
import t from 'tap'
import * as errors from '../../../src/db/mysql-errors.ts'

const {
  errnoOf,
  isServerFailure,
  retryable,
  full,
  readOnly,
  unavailable,
  ended,
  spent,
  leftToOthers,
  discreet,
} = errors
const sets = { retryable, full, readOnly, unavailable, ended, spent, leftToOthers }

/** The names of the sets by the error, as the servers name it. */
const expected: [name: string, errno: number, sets: (keyof typeof sets)[]][] = [
  ['ER_LOCK_DEADLOCK', 1213, ['retryable']],
  ['ER_LOCK_WAIT_TIMEOUT', 1205, ['retryable']],
  ['ER_NEED_REPREPARE', 1615, ['retryable']],
  ['ER_CHECKREAD', 1020, ['retryable']],
  ['ER_TABLE_DEF_CHANGED', 1412, ['retryable']],
  ['ER_LOCK_NOWAIT', 3572, ['retryable']],
  ['ER_ERROR_DURING_COMMIT', 1180, ['retryable']],
  ['ER_TRANSACTION_ROLLBACK_DURING_COMMIT', 3101, ['retryable']],
  ['EE_DISK_FULL', 20, ['full']],
  ['ER_DISK_FULL', 1021, ['full']],
  ['ER_RECORD_FILE_FULL', 1114, ['full']],
  ['ER_CON_COUNT_ERROR', 1040, ['unavailable']],
  ['ER_TOO_MANY_USER_CONNECTIONS', 1203, ['unavailable']],
  ['ER_USER_LIMIT_REACHED', 1226, ['unavailable']],
  ['ER_OUTOFMEMORY', 1037, ['unavailable']],
  ['ER_OUT_OF_SORTMEMORY', 1038, ['unavailable']],
  ['ER_OUT_OF_RESOURCES', 1041, ['unavailable']],
  ['ER_FILSORT_ABORT', 1028, ['unavailable']],
  ['ER_GET_ERRNO', 1030, ['unavailable']],
  ['ER_CANT_OPEN_FILE', 1016, ['unavailable']],
  ['ER_ERROR_ON_CLOSE', 1023, ['unavailable']],
  ['ER_ERROR_ON_READ', 1024, ['unavailable']],
  ['ER_ERROR_ON_WRITE', 1026, ['unavailable']],
  ['ER_OPEN_AS_READONLY', 1036, ['readOnly', 'unavailable', 'spent']],
  ['ER_INNODB_READ_ONLY', 1874, ['readOnly', 'unavailable', 'spent']],
  ['ER_UNKNOWN_COM_ERROR', 1047, ['unavailable', 'spent']],
  ['ER_SERVER_SHUTDOWN', 1053, ['unavailable', 'ended']],
  ['ER_NORMAL_SHUTDOWN', 1077, ['unavailable']],
  ['ER_SHUTDOWN_COMPLETE', 1079, ['unavailable']],
  ['ER_SERVER_ISNT_AVAILABLE', 3168, ['unavailable', 'spent']],
  ['ER_CANT_UPDATE_WITH_READLOCK', 1223, ['unavailable']],
  ['ER_OPTION_PREVENTS_STATEMENT', 1290, ['readOnly', 'unavailable', 'spent']],
  ['ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', 1792, ['readOnly', 'unavailable', 'spent']],
  ['ER_READ_ONLY_MODE', 1836, ['readOnly', 'unavailable', 'spent']],
  ['ER_QUERY_INTERRUPTED', 1317, ['unavailable', 'ended']],
  ['ER_CONNECTION_KILLED', 1927, ['unavailable', 'ended']],
  ['ER_STATEMENT_TIMEOUT', 1969, ['unavailable']],
  ['ER_QUERY_TIMEOUT', 3024, ['unavailable']],
  ['ER_SESSION_WAS_KILLED', 3169, ['unavailable', 'ended', 'spent']],
  ['ER_MAX_PREPARED_STMT_COUNT_REACHED', 1461, ['unavailable']],
  ['CR_SERVER_GONE_ERROR', 2006, ['unavailable', 'ended']],
  ['CR_SERVER_LOST', 2013, ['unavailable', 'ended']],
  ['ER_CLIENT_INTERACTION_TIMEOUT', 4031, ['unavailable', 'spent']],
  ['ER_SERVER_OFFLINE_MODE', 3032, ['unavailable', 'spent']],
  ['ER_SERVER_OFFLINE_MODE_REASON', 6400, ['unavailable', 'spent']],
  ['ER_SERVER_OFFLINE_MODE_USER', 6401, ['unavailable', 'spent']],
  ['ER_BEFORE_DML_VALIDATION_ERROR', 3098, ['unavailable']],
  ['ER_RUN_HOOK_ERROR', 3100, ['unavailable', 'ended', 'spent', 'leftToOthers']],
  ['ER_GRP_TRX_CONSISTENCY_NOT_ALLOWED', 3796, ['unavailable']],
  ['ER_GRP_TRX_CONSISTENCY_BEFORE', 3797, ['unavailable']],
  ['ER_GRP_TRX_CONSISTENCY_AFTER_ON_TRX_BEGIN', 3798, ['unavailable']],
  ['ER_GRP_TRX_CONSISTENCY_BEGIN_NOT_ALLOWED', 3799, ['unavailable']],
]

t.test('each error has its consequences, and no other error has any', (t) => {
  for (const [name, errno, wanted] of expected) {
    const found = Object.entries(sets).flatMap(([set, errnos]) => (errnos.has(errno) ? [set] : []))
    t.strictSame(found.sort(), [...wanted].sort(), name)
  }
  const all = new Set(Object.values(sets).flatMap((errnos) => [...errnos]))
  t.strictSame([...all].sort(), expected.map(([, errno]) => errno).sort())
  for (const errno of all) if (!ended.has(errno) && !spent.has(errno)) t.ok(discreet.has(errno), `${errno}`)
  t.notOk(discreet.has(1062), 'a duplicate key quotes a value')
  t.end()
})

t.test('isServerFailure: errors of files of the server, also those below 1000', async (t) => {
  // EE_CANTCREATEFILE, EE_READ, EE_WRITE, EE_DELETE, ER_GET_ERRNO, ER_ERROR_ON_WRITE
  for (const errno of [1, 2, 3, 6, 1030, 1026]) t.ok(isServerFailure(errno), `${errno}`)
  // EE_DISK_FULL is full; errors of the system are negative.
  for (const errno of [20, 0, -111, 1062, 1205, Number.NaN]) t.notOk(isServerFailure(errno), `${errno}`)
})

t.test('errors of other origin have no number', (t) => {
  t.equal(errnoOf({ errno: 1213 }), 1213)
  for (const error of [undefined, null, 'x', new Error('x'), { errno: 'EACCES' }])
    t.ok(Number.isNaN(errnoOf(error)))
  t.end()
})
