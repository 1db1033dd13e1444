// Signs the events that this API sends, and verifies notifications that arrive, by the specification Standard Webhooks 1.0.
import { isUtf8 } from 'node:buffer'
import { Webhook } from 'standardwebhooks'

/** A secret key that signs and verifies. */
export type WebhookSecret = Webhook

interface SignedMessage {
  id: string | undefined
  /** Seconds since 1970, as a string of digits. */
  timestamp: string | undefined
  /** One or more signatures, separated by spaces. */
  signature: string | undefined
  body: Buffer
}

/**
 * Parses a secret such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`.
 * @param option the name of the option that contains it, for the message
 * @throws Error if it is too short or not base64
 */
export function webhookSecret(option: string, text: string): WebhookSecret {
  const base64 = text.replace(/^whsec_/, '')
  const key = Buffer.from(base64, 'base64')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || key.length < 16) {
    throw new Error(`${option}: must be "whsec_" and at least 16 bytes in base64.`)
  }
  return new Webhook(key, { format: 'raw' })
}

/** Whether one of the signatures is valid and the timestamp is at most five minutes away from now. */
export function isSigned(
  { id = '', timestamp = '', signature = '', body }: SignedMessage,
  secret: WebhookSecret,
): boolean {
  // standardwebhooks reads "1e9" and "12 apples" as numbers, and compares strings, where all invalid UTF-8 compares equal.
  if (!/^\d{1,12}$/.test(timestamp) || !isUtf8(body)) return false
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  try {
    secret.verify(body.toString(), headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

/**
 * The headers of a message that is sent now: id, timestamp and signatures. Each secret adds a signature, so that a receiver may
 * know the old one or the new one while a secret is replaced.
 */
export function signedHeaders(id: string, body: string, secrets: readonly WebhookSecret[]) {
  const now = new Date()
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => secret.sign(id, now, body)).join(' '),
  }
}
