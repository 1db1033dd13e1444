// What GET gives of a resource can be sent back, whatever PHP and its early versions have stored.

import { roundTrips } from './support/fixtures/round-trips.ts'
import { rule } from './support/hosts/fresh-host.ts'

const seed = 20_260_401

for (const [name, check] of Object.entries(roundTrips)) {
  rule(`what was read of ${name} can be sent back and changes nothing`, async (t, host) => {
    t.ok((await check(host, 40, seed)) > 5)
  })
}
