// The host's options for print-ready files, and their defaults.
import { tmpdir } from 'node:os'
import { type WebhookSecret, webhookSecret } from '../outbound/signature.ts'
import type { DownloadSettings } from './download.ts'
import { hostPort } from './file-url.ts'
import type { PrintReadyOptions } from './options.ts'

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
