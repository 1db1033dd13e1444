// The contract of a target of deliveries: a folder of this machine (delivery-folder.ts), or one of an SFTP server
// (delivery-sftp.ts).
import type { Readable } from 'node:stream'

/** A place below the target's folder: folders, then the name of a file. */
export type Place = readonly string[]

/** An open connection to the target. */
export interface OpenTarget {
  /** Names in a folder; none when there is no such folder. */
  names(folder: Place): Promise<string[]>
  /** Bytes of a file; undefined when there is no such file. */
  sizeOf(file: Place): Promise<number | undefined>
  /** Writes a file to its end, and creates its folders. */
  write(file: Place, bytes: Readable, signal: AbortSignal): Promise<void>
  /** Renames within the target, atomically for programs that read the folder. */
  rename(from: Place, to: Place): Promise<void>
  close(): Promise<void>
}

/** Opens a connection for each delivery. */
export interface DeliveryTarget {
  /**
   * @throws DeliveryFailed if the folder does not exist or the server has another key; errors of the connection as they are
   */
  open(signal: AbortSignal): Promise<OpenTarget>
}

/** Why a file was not delivered; the message is a sentence for the users of the desk, without credentials. */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed'
}
