// What GET returned of an order can be sent back, whatever is stored: nothing is lost, wrapped or duplicated.

import { checkOrderRoundTrips } from '../../support/fixtures/order-round-trip.ts'
import { rule } from '../../support/hosts/fresh-host.ts'

rule(
  'an order can be sent back as it was read, or changed, in every type, generation and encoding',
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
