// Decides which IP addresses are public. Any other may be an internal host: only requests to hosts that the operator trusts connect to it.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Azure's host agent, which has a public-looking address. */
const cloudAgent = '168.63.129.16'

/**
 * The IPv6 blocks that IANA has allocated to the five registries, with the space reserved next to each for growth. The
 * rest of 2000::/3 is not routed, so that an address in it (3ffe::1) can only belong to the local network. Addresses that embed
 * or map IPv4 (NAT64, 6to4) are outside, too.
 * @see https://www.iana.org/assignments/ipv6-unicast-address-assignments
 */
const allocated = ['2001::/16', '2003::/16', '2400::/8', '2600::/8', '2800::/8', '2a00::/8', '2c00::/8'].map(
  (block) => ipaddr.IPv6.parseCIDR(block),
)

/**
 * Parts of allocated blocks that IANA keeps for protocols (Teredo, benchmarking, ORCHID, AS112).
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const special = ['2001::/23', '2001:db8::/32', '2620:4f:8000::/48'].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
)

/**
 * Whether the address is public, so that a request to an untrusted URL may connect to it. False for addresses of this machine, for
 * invalid ones, and for ones with a zone id.
 */
export function isPublic(address: string): boolean {
  // ipaddr.js would also parse "127.1" and "0x7f000001".
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || isOfThisMachine(parsed)) return false
  if (parsed instanceof ipaddr.IPv4) return address !== cloudAgent
  // ipaddr.js calls every unassigned IPv6 range unicast.
  const isIn = (blocks: typeof allocated) => blocks.some((block) => parsed.match(block))
  return isIn(allocated) && !isIn(special) && !isIsatap(parsed)
}

/** Whether an IPv6 address embeds an IPv4 address by ISATAP (RFC 5214 §6.1): after 0:5efe or 200:5efe, with any network prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

function isOfThisMachine(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return interfaces.some(
    (entry) => ipaddr.parse(entry.address).toNormalizedString() === address.toNormalizedString(),
  )
}
