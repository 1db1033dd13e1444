// Error numbers of MySQL and MariaDB, by what each set means for a statement, its transaction and its connection.
import { membersOf } from '../core/foreign.ts'

/** The error number of the server or of mysql2; NaN for other errors. */
export const errnoOf = (error: unknown): number => Number(membersOf(error).errno)

/** The transaction had no effect and is run again. */
export const retryable = new Set([
  1213, // deadlock; on Galera also the verdict of certification at COMMIT
  1205, // lock wait timeout
  1615, // a prepared statement whose tables have changed too often meanwhile
  1020, // record has changed since last read (snapshot isolation of MariaDB 11)
  1412, // the definition of a table has changed since the transaction began
  3572, // a lock that is not waited for
  1180, // an error during COMMIT, which the engine or the group has rolled back
  3101, // rolled back by Group Replication, because another member was faster
])

/** The storage has no room for the write. */
export const full = new Set([
  20, // the disk, as the server's library of files reports it (MariaDB)
  1021, // the disk
  1114, // the table
])

/** The server takes no writes, or none of this session. */
export const readOnly = new Set([
  1036, // the table, such as by innodb_force_recovery or permissions of its files
  1290, // by read_only, super_read_only, or as a member of a group that recovers
  1792, // the transaction
  1836, // the mode of the server
  1874, // InnoDB
])

/** The server cannot read or write a file. */
const failedFiles = new Set([1016, 1023, 1024, 1026, 1030])

/** Whether the server failed on its own disk. Below 1000 are errors of its library of files (MariaDB). */
export const isServerFailure = (errno: number): boolean =>
  (errno > 0 && errno < 1000 && !full.has(errno)) || failedFiles.has(errno)

/** Offline mode; since MySQL 9.0 with the reason, such as having left the group, or with the user who has set it. */
const offline = [3032, 6400, 6401]

/** The user has no right to the table, or to a column. */
export const denied = new Set([1142, 1143])

/** The server, or the account, has no connection left. */
const tooManyConnections = [1040, 1203, 1226]
const outOfMemory = [1037, 1038, 1041]
const shuttingDown = [1053, 1077, 1079, 3168]
/** Interrupted, killed, or out of time. */
const interrupted = [1317, 1927, 1969, 3024, 3169]
const connectionClosed = [2006, 2013, 4031]
/** Group Replication cannot guarantee `group_replication_consistency` in this state of the member. */
const inconsistentMember = [3796, 3797, 3798, 3799]

/** The server cannot serve the statement at the moment. */
export const unavailable = new Set([
  ...tooManyConnections,
  ...outOfMemory,
  ...shuttingDown,
  ...interrupted,
  ...connectionClosed,
  ...inconsistentMember,
  ...failedFiles,
  ...readOnly,
  ...offline,
  1028, // a sort was aborted
  1047, // the node is not ready for queries (Galera)
  1223, // locked for a backup
  1461, // no more prepared statements
  3098, // Group Replication does not take writes of this table
  3100, // a hook of Group Replication failed at COMMIT; see `leftToOthers`
])

/**
 * The server has left its group while a COMMIT waited for the other members. They may have received it and run it later; there is
 * no session that could be ended to prevent that.
 */
export const leftToOthers = new Set([3100])

/** The session was ended while the statement ran, or its group: a COMMIT may have been done all the same. */
export const ended = new Set([1053, 1317, 1927, 2006, 2013, 3169, ...leftToOthers])

/** The connection must not be used again: it was closed, or leads to a server that takes no writes. */
export const spent = new Set([1047, ...readOnly, ...offline, 3168, 3169, 4031, ...leftToOthers])

/** Tables with and without transactions in one transaction, while GTIDs must be consistent. */
export const mixedEngines = 1785

/** The statement does not fit the tables, the rights or the values. */
const refused = [1044, 1045, 1048, 1049, 1054, 1142, 1143, 1146, 1153, 1264, 1364, 1406, mixedEngines, 1932]

/** Messages of these contain at most names of columns, tables and users. */
export const discreet = new Set([...retryable, ...full, ...unavailable, ...refused])
