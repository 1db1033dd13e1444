// Which IP addresses are public: any other may be an internal host, and is never connected to for an untrusted URL.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Azure's host agent, which has a public-looking address. */
const cloudAgent = '168.63.129.16'

/** Global unicast IPv6 addresses. Addresses that embed or map IPv4 (NAT64, too) are outside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an untrusted URL may connect to the address. False for zone ids, own addresses and invalid addresses. */
export function isPublic(address: string): boolean {
  // The library would read "127.1" and "0x7f000001", too.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || isOwn(parsed)) return false
  if (parsed instanceof ipaddr.IPv4) return address !== cloudAgent
  // The library calls every unassigned IPv6 range unicast.
  return parsed.match(globalUnicast) && !isIsatap(parsed)
}

/** An IPv4 address after 0:5efe or 200:5efe, with any network prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return own.some(
    (entry) => ipaddr.parse(entry.address).toNormalizedString() === address.toNormalizedString(),
  )
}
