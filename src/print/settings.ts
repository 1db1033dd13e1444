// The host's options for print-ready files, and their defaults.
import { tmpdir } from 'node:os'
import type { Lookup } from '../outbound/guarded-request.ts'
import { type WebhookSecret, webhookSecret } from '../outbound/signature.ts'
import type { DownloadSettings } from './download.ts'
import { hostPort } from './file-url.ts'

export interface PrintReadyOptions {
  /** Pairs `host:port` from which downloads are allowed although they are private, on any port. Default: none. */
  allow?: string[]
  /** The only hosts from which downloads are allowed; `*.router.example` matches every name below it. Default: all public ones. */
  allowedHosts?: string[]
  /** Ports of public servers; default 80, 443, 8080. */
  ports?: number[]
  /** Shared secret (`whsec_` + base64): only notifications with a valid Standard Webhooks signature are accepted. Default: none. */
  secret?: string
  /** Largest print file in bytes; default 512 MiB. */
  maxBytes?: number
  /** Seconds for a whole download, redirects included; default 300. */
  maxSeconds?: number
  /** Downloads at once in this process; more get 503. Default 4. */
  downloads?: number
  /** Seconds after which another process may resume the work of one that died; default 15. */
  leaseSeconds?: number
  /** Folder of files that are not stored yet; default: the system's temporary folder. */
  tempDir?: string
  /** Replaces the system's resolver. Every address is still checked. */
  lookup?: Lookup
}

export interface ExportOptions {
  /** Seconds that an export waits for its file, 0 to 180; a client may override it. Default 30. */
  wait?: number
}

/** Maximum seconds that an export may wait. */
export const maxWait = 180

export interface PrintReadySettings {
  download: DownloadSettings
  downloads: number
  leaseSeconds: number
  /** Seconds that the storage may take for a file, and the print provider for an order. */
  storingSeconds: number
  /** The same for a remote storage, where an upload may be as slow as the download. */
  pushSeconds: number
  providerSeconds: number
  /** Seconds between sweeps of abandoned files, so that none remains for longer than twice the download timeout. */
  sweepSeconds: number
  /** Webhook secret; undefined if signatures are not required. */
  secret: WebhookSecret | undefined
}

/**
 * Seconds that an export waits for its file.
 * @throws Error with a sentence if the option is wrong
 */
export function exportWait({ wait = 30 }: ExportOptions = {}): number {
  if (!(typeof wait === 'number' && wait >= 0 && wait <= maxWait)) {
    throw new Error(`export.wait: must be a number of seconds from 0 to ${maxWait}.`)
  }
  return wait
}

/** @throws Error with a sentence if an option is wrong */
export function printReadySettings(options: PrintReadyOptions = {}): PrintReadySettings {
  const seconds = options.maxSeconds ?? 300
  return {
    download: {
      policy: {
        trusted: new Set(options.allow?.map(hostPort)),
        allowedHosts: options.allowedHosts,
        ports: options.ports ?? [80, 443, 8080],
      },
      limits: { bytes: options.maxBytes ?? 512 * 1024 * 1024, seconds },
      tempDir: options.tempDir ?? tmpdir(),
      lookup: options.lookup,
    },
    downloads: options.downloads ?? 4,
    leaseSeconds: options.leaseSeconds ?? 15,
    storingSeconds: Math.max(10, Math.min(60, seconds / 2)),
    pushSeconds: seconds,
    providerSeconds: 60,
    sweepSeconds: Math.max(1, seconds / 8),
    secret: options.secret === undefined ? undefined : webhookSecret('printReady.secret', options.secret),
  }
}
