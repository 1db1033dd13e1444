// The part of the status page about database and storages: tries them, and says whether they work.
import { randomBytes } from 'node:crypto'
import type { SvcContext } from '../../src/app/context.ts'
import { within, withoutDeadline } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { section } from '../../src/pages/html.ts'
import { isLocal, type Target } from '../../src/storage/storages.ts'
import { bad, good, remedy } from './status-parts.ts'

/** Milliseconds that each part of the status page may take: one that hangs must not delay the others. */
export const maxPart = 3000

/** The results of the tries. Times are milliseconds; undefined if the try failed or took longer than `maxPart`. */
interface Health {
  databaseTime: number | undefined
  storageTime: number | undefined
  /** Undefined if new files go to the uploads folder. */
  remote: RemoteHealth | undefined
}

const remedies = {
  database: remedy(
    html`Check that the database server runs and accepts connections; <code>npx svc-api doctor</code> finds the cause.`,
  ),
  tables: remedy(
    html`Convert each of them: <code>ALTER TABLE name ENGINE=InnoDB</code>. Until then, interrupted changes are not undone there.`,
  ),
  noStorage: remedy(
    html`Set the option <code>uploads</code> to a folder and its URL, so that files can be stored.`,
  ),
  storage: remedy(
    html`Allow the user of the server to write to the uploads folder, and check the free space of its disk.`,
  ),
  remoteSettings: remedy(html`Correct it in the <a href="export">export settings</a>.`),
  remote: remedy(
    html`Check the keys and their rights in the <a href="export">export settings</a>; the log of the server has the reason.`,
  ),
}

/** The section that says whether database and storages work. */
export function healthSection(
  { database, storage }: SvcContext,
  { databaseTime, storageTime, remote }: Health,
): Html {
  const { tablesWithoutTransactions: unsafeTables } = database
  const list = html`
<dl>
<dt>Database</dt><dd>${databaseTime === undefined ? html`${bad('Does not respond')}${remedies.database}` : html`${good('Responds')} in ${databaseTime} ms`}</dd>
${unsafeTables.length > 0 && html`<dt>Tables without transactions</dt><dd>${bad(unsafeTables.join(', '))}${remedies.tables}</dd>`}
<dt>File storage</dt><dd>${
    !storage
      ? html`<span class="off">Not configured</span>${remedies.noStorage}`
      : storageTime === undefined
        ? html`${bad('Cannot be written')}${remedies.storage}`
        : html`${good('Writable')} in ${storageTime} ms`
  }</dd>
${remote && html`<dt>Storage of new files</dt><dd>${remoteState(remote)}</dd>`}
</dl>`
  return section('section-health', 'Health', list)
}

function remoteState({ name, time, problem }: RemoteHealth): Html {
  if (problem !== undefined) return html`${bad(problem)}${remedies.remoteSettings}`
  if (time === undefined) return html`${name}: ${bad('Cannot be written')}${remedies.remote}`
  return html`${name}: ${good('Writable')} in ${time} ms`
}

interface RemoteHealth {
  /** `s3`, `dropbox` or the name of a storage of the host's; undefined where the settings name none that can be used. */
  name?: string
  /** Milliseconds to store and remove a file; undefined where that failed. */
  time?: number
  /** Problems in the settings. */
  problem?: string
}

const testBytes = Buffer.from('health')

/** Stores a file under a temporary name in the uploads folder, and removes it again. Rejects if that fails. */
export async function tryUploadsFolder(storage: SvcContext['storage']): Promise<void> {
  const file = await storage?.receive(svcFolders.assets)
  try {
    await file?.write(testBytes)
  } finally {
    await file?.discard()
  }
}

/** Tries the remote storage of new files; undefined if they go to the uploads folder. Never rejects. @param failed gets the error */
export async function remoteHealth(
  storages: SvcContext['storages'],
  failed: (error: unknown) => void,
): Promise<RemoteHealth | undefined> {
  let name: string | undefined
  try {
    const target = await within(maxPart, () => storages.current())
    if (isLocal(target)) return undefined
    name = target.storage
    const began = performance.now()
    await within(maxPart, () => tryRemote(target))
    return { name, time: Math.round(performance.now() - began) }
  } catch (error) {
    if (error instanceof SvcError && error.code === 'svc_storage_not_configured')
      return { problem: error.message }
    failed(error)
    return name === undefined ? undefined : { name }
  }
}

/** Stores a file and removes it again, even one that arrives late. */
async function tryRemote({ files }: Target): Promise<void> {
  const key = `${svcFolders.assets}/health-${randomBytes(16).toString('hex')}.txt`
  const putting = files.put(key, testBytes, { signal: AbortSignal.timeout(maxPart) })
  const removed = withoutDeadline(() => putting.catch(() => {}).then(() => files.remove(key)))
  await Promise.all([putting, removed])
}
