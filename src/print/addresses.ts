// Which IP addresses are public: everything else may be a neighbour of this server, and is never dialled for a stranger.
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

const special = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier NAT; a cloud keeps its metadata at 100.100.100.200
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // host agent of a cloud, public by its number only
  ['169.254.0.0', 16], // link local, metadata of most clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast, reserved, broadcast
] as const) {
  special.addSubnet(net, bits, 'ipv4')
}
for (const [net, bits] of [
  ['2001::', 23], // Teredo and other protocols that carry an IPv4 address inside
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
] as const) {
  special.addSubnet(net, bits, 'ipv6')
}

/** All of IPv6 that is handed out for the public: what embeds or maps IPv4 addresses lies outside, NAT64 too. */
const unicast = new BlockList()
unicast.addSubnet('2000::', 3, 'ipv6')

/** ISATAP: an IPv4 address behind 0:5efe or 200:5efe, whatever the network in front. */
const isatap = /(?:::|:0:|:200:)5efe:(?::|[0-9a-f]{1,4}:[0-9a-f]{1,4})$/

/** Whether the address may be dialled on a stranger's word. Zone ids, own addresses and all that is no address: false. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  const normal = family === 4 ? address : canonical(address)
  if (isOwn(normal)) return false
  if (family === 4) return !special.check(normal, 'ipv4')
  return unicast.check(normal, 'ipv6') && !special.check(normal, 'ipv6') && !isatap.test(normal)
}

/** One spelling for each IPv6 address, the shortest one in lower case. */
const canonical = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1)

function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => entry.address === address),
  )
}
