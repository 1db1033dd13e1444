// Problems of options that only their combination, or the machine, shows: one that can never work is refused, others are logged.
import { assertFolder } from '../storage/local.ts'
import { remoteStorages } from '../storage/remote-storages.ts'
import type { SvcContextOptions } from './context-options.ts'

type Options = Pick<
  SvcContextOptions,
  'autoPrint' | 'deliver' | 'exportService' | 'printReady' | 'renderer' | 'storage' | 'uploads'
>

/** Throws an Error with one sentence for options that can never work together. */
export function assertPossible({ autoPrint, exportService, renderer, storage }: Options): void {
  if (autoPrint && !renderer && !exportService)
    throw new Error('autoPrint: needs the option renderer or exportService, which makes the print files.')
  const { use, own = {} } = storage ?? {}
  const names = ['none', 'local', ...remoteStorages.map(({ name }) => name), ...Object.keys(own)]
  if (use !== undefined && !names.includes(use))
    throw new Error(`storage.use: there is no storage "${use}"; known are ${names.join(', ')}.`)
}

/** Checks the folders of the options. Logs those that do not exist. @throws Error with one sentence if one cannot be read */
export async function checkFolders(log: { warn(message: string): void }, options: Options): Promise<void> {
  const { deliver, printReady, uploads } = options
  if (uploads && !(await assertFolder('uploads.dir', uploads.dir)))
    log.warn(`uploads.dir: ${uploads.dir} does not exist; the first upload creates it.`)
  if (printReady?.tempDir !== undefined) await assertFolder('printReady.tempDir', printReady.tempDir)
  const folder = deliver?.folder
  // A network drive may be mounted later, so that this is no reason to stop.
  if (folder !== undefined && !(await assertFolder('deliver.folder', folder).catch(() => false)))
    log.warn(`deliver.folder: ${folder} does not exist; print files are delivered once it does.`)
}
