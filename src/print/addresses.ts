// Which IP addresses are public: everything else may be a neighbour of this server, and is never dialled for a stranger.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The host agent of a cloud, public by its number only. */
const cloudAgent = '168.63.129.16'

/** All of IPv6 that is handed out for the public: what embeds or maps IPv4 addresses lies outside, NAT64 too. */
const handedOut = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether the address may be dialled on a stranger's word. Zone ids, own addresses and all that is no address: false. */
export function isPublic(address: string): boolean {
  // The library would read "127.1" and "0x7f000001", too.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || isOwn(parsed)) return false
  if (parsed instanceof ipaddr.IPv4) return address !== cloudAgent
  // To the library all of IPv6 that it knows no name for is unicast.
  return parsed.match(handedOut) && !isIsatap(parsed)
}

/** An IPv4 address behind 0:5efe or 200:5efe, whatever the network in front. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return own.some(
    (entry) => ipaddr.parse(entry.address).toNormalizedString() === address.toNormalizedString(),
  )
}
