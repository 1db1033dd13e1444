// Where finished print files are delivered to: a folder of this machine, or one of an SFTP server.
import type { Readable } from 'node:stream'

/** A place below the target's folder: folders, then the name of a file. */
export type Place = readonly string[]

export interface OpenTarget {
  /** Names in a folder; none when there is no such folder. */
  names(folder: Place): Promise<string[]>
  /** Bytes of a file; undefined when there is no such file. */
  sizeOf(file: Place): Promise<number | undefined>
  /** Writes a file to its end and makes the folders on the way. */
  write(file: Place, bytes: Readable, signal: AbortSignal): Promise<void>
  rename(from: Place, to: Place): Promise<void>
  close(): Promise<void>
}

export interface DeliveryTarget {
  /** @throws DeliveryFailed if the folder does not exist, or the server cannot be reached */
  open(signal: AbortSignal): Promise<OpenTarget>
}

/** Why a file was not delivered, in a sentence for those who print, without credentials. */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed'
}
