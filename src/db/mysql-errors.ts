// What becomes of the errors of MySQL and MariaDB.

/** NaN for errors of other origin. */
export const errnoOf = (error: unknown): number => Number(Reflect.get(Object(error), 'errno'))

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
  1021, // the disk
  1114, // the table
])

/** Offline mode; since MySQL 9.0 with the reason, such as having left the group, or with the user who has set it. */
const offline = [3032, 6400, 6401]

/** The server cannot serve the statement at the moment. */
export const unavailable = new Set([
  ...[1040, 1203, 1226], // too many connections, or another limit of the account
  ...[1037, 1038, 1041], // out of memory
  ...[1028, 1030], // a sort was aborted, or the storage engine failed
  1047, // the node is not ready for queries (Galera)
  ...[1053, 1077, 1079, 3168], // shutting down, or not available
  ...[1223, 1290, 1792, 1836], // read only, or locked for a backup
  ...[1317, 1927, 1969, 3024, 3169], // interrupted, killed, out of time
  1461, // no more prepared statements
  ...[2006, 2013, 4031], // the connection was closed
  ...offline,
  3098, // Group Replication does not take writes of this table
  3100, // a hook of Group Replication failed before COMMIT
  ...[3796, 3797, 3798, 3799], // group_replication_consistency cannot be kept in this state of the member
])

/**
 * The server has left its group while a COMMIT waited for the others, who may have it and do it later. No session of it is left to
 * end, here or there.
 */
export const leftToOthers = new Set([3100])

/** The session was ended while the statement ran, or its group: a COMMIT may have been done all the same. */
export const ended = new Set([1053, 1317, 1927, 2006, 2013, 3169, ...leftToOthers])

/** The connection must not be used again: it was closed, or leads to a server that takes no writes. */
export const spent = new Set([1047, 1290, 1792, 1836, ...offline, 3168, 3169, 4031, ...leftToOthers])

/** Tables with and without transactions in one transaction, while GTIDs must be consistent. */
export const mixedEngines = 1785

/** Messages of these contain at most names of columns, tables and users. */
export const discreet = new Set([
  ...retryable,
  ...full,
  ...unavailable,
  ...[1044, 1045, 1048, 1049, 1054, 1142, 1143, 1146, 1153, 1264, 1364, 1406, mixedEngines, 1932],
])
