// Signed notifications as Standard Webhooks describes them: HMAC-SHA256 over id, time and body, base64 behind `v1,`.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds by which the sender's clock may differ from ours, either way. */
const tolerance = 300

export interface SignedMessage {
  id: string | undefined
  /** Seconds since 1970, as text. */
  timestamp: string | undefined
  /** One or more signatures, separated by blanks. */
  signature: string | undefined
  body: Uint8Array
}

/**
 * The key inside a secret.
 * @throws Error when it is too short to be one
 */
export function secretKey(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length < 16) throw new Error('printReady.secret: must be "whsec_" and at least 16 bytes in base64.')
  return key
}

/** Whether one of the signatures is right and the message is of these minutes. */
export function isSigned(
  { id, timestamp, signature, body }: SignedMessage,
  key: Buffer,
  now = Date.now(),
): boolean {
  if (!id || !signature || !timestamp || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance) return false
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const right = Buffer.from(`v1,${digest}`)
  return signature.split(' ').some((candidate) => {
    const given = Buffer.from(candidate)
    return given.length === right.length && timingSafeEqual(given, right)
  })
}
