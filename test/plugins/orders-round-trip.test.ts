// What GET gave of an order can be sent back, whatever is stored: nothing gets lost, wrapped or doubled.

import { rule } from '../support/fresh-host.ts'
import { checkOrderRoundTrips } from '../support/order-round-trip.ts'

rule(
  'a read order can be written back unchanged or changed, in every type, generation and encoding',
  async (t, host) => {
    const counts = await checkOrderRoundTrips(host, 240, 20_260_401)
    t.strictSame(Object.keys(counts).sort(), [
      'gf',
      'sc',
      'shortcode',
      'wc _legacy_data',
      'wc _svc_data',
      'wc legacy_data',
    ])
    t.comment(counts)
  },
)
