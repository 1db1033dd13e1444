// A shop whose changes reach the listener, the audit trail and the outbox.
import type { Test } from 'tap'
import type { Change } from '../../../plugins/index.ts'
import type { Engine } from './build.ts'
import { accept, exportShop } from './export-shop.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

/** `seen` has the changes in their order. Nothing is delivered, because the address of the webhook is private. */
export async function reportingShop(t: Test, engine: Engine) {
  const seen: Change[] = []
  const shop = await exportShop(t, engine, accept, {
    wait: 0,
    onChange: (change) => seen.push(change),
    audit: true,
    webhooks: [{ url: 'https://127.0.0.1:9/', secret }],
  })
  return { ...shop, seen }
}
