// Delivers to an SFTP server, by the package `ssh2-sftp-client`, which is loaded when a file is delivered.
import { createHash, timingSafeEqual } from 'node:crypto'
import type SftpClient from 'ssh2-sftp-client'
import { optionalPackage, requireBeside } from '../core/installed.ts'
import type { SftpOptions } from './delivery-options.ts'
import { DeliveryFailed, type DeliveryTarget, type Place } from './delivery-target.ts'

/** Milliseconds for the connection and the login. */
const connectTime = 20_000

const packageName = 'ssh2-sftp-client'

/** A target on an SFTP server. @throws Error with a sentence if the package is missing, or there is no password or key */
export function sftpTarget(options: SftpOptions): DeliveryTarget {
  const { host, port = 22, username, password, privateKey, passphrase, hostKey, folder = '.' } = options
  if (password === undefined && privateKey === undefined)
    throw new Error('deliver.sftp: needs a password or a privateKey.')
  try {
    requireBeside(import.meta.url).resolve(packageName)
  } catch {
    throw new Error(`deliver.sftp: needs the package ${packageName}; run "npm install ${packageName}".`)
  }
  const fingerprint = Buffer.from(hostKey.slice('SHA256:'.length), 'base64')
  const isKeyOfHost = (key: Buffer) => timingSafeEqual(createHash('sha256').update(key).digest(), fingerprint)
  const pathOf = (place: Place) => [folder, ...place].join('/')

  return {
    async open(signal) {
      const { default: Client } = await optionalPackage<{ default: typeof SftpClient }>(packageName)
      const client = new Client()
      // The client reports a refused key as a lost connection, so it is remembered for the message.
      let hasOtherKey = false
      // Ends all requests that wait for the server.
      const abort = () => void client.end().catch(() => {})
      signal.addEventListener('abort', abort, { once: true })
      const close = async () => {
        signal.removeEventListener('abort', abort)
        await client.end().catch(() => {})
      }
      try {
        await client.connect({
          host,
          port,
          username,
          readyTimeout: connectTime,
          ...(password !== undefined && { password }),
          ...(privateKey !== undefined && { privateKey }),
          ...(passphrase !== undefined && { passphrase }),
          hostVerifier: (key: Buffer) => {
            hasOtherKey = !isKeyOfHost(key)
            return !hasOtherKey
          },
        })
        if ((await client.exists(folder)) !== 'd')
          throw new DeliveryFailed('The folder for deliveries does not exist on the SFTP server.')
      } catch (error) {
        await close()
        if (hasOtherKey)
          throw new DeliveryFailed('The SFTP server has another key than deliver.sftp.hostKey says.')
        throw error
      }
      return {
        async names(place) {
          if ((await client.exists(pathOf(place))) !== 'd') return []
          return (await client.list(pathOf(place))).map(({ name }) => name)
        },
        async sizeOf(place) {
          if ((await client.exists(pathOf(place))) !== '-') return undefined
          return (await client.stat(pathOf(place))).size
        },
        async write(place, bytes) {
          const parent = place.slice(0, -1)
          if (parent.length > 0) await client.mkdir(pathOf(parent), true)
          await client.put(bytes, pathOf(place))
        },
        async rename(from, to) {
          await client.rename(pathOf(from), pathOf(to))
        },
        close,
      }
    },
  }
}
