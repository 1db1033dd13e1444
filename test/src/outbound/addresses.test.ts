// Which addresses a stranger may make this server dial.
import { syncBuiltinESMExports } from 'node:module'
import os, { networkInterfaces } from 'node:os'
import t from 'tap'
import { isPublic } from '../../../src/outbound/addresses.ts'

const inside = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::7f00:1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:0a00:0001::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  'fe80::1%eth0',
  '2606:4700::1111%1',
  '2606:4700::5efe:7f00:1',
  '2606:4700::200:5efe:10.0.0.1',
  '2606:4700:0:0:0:5efe:7f00:1',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '192.175.48.255',
  '2620:4f:8000::1',
  '2001:1ff::1',
  '3fff:fff::1',
  '0:0:0:0:0:ffff:808:808',
  '2606:4700::0:5efe:1.2.3.4',
  '2000::200:5efe:8.8.8.8',
  '3ffe::1',
  '3ffe:ffff::1',
  '2000::1',
  '2004::1',
  '2100::1',
  '2300::1',
  '2500::1',
  '2700::1',
  '2d00::1',
  '2e00::1',
  '3000::1',
  '3ff0::1',
  '4000::1',
  '192.0.0.9',
  '192.0.0.10',
  '192.0.0.170',
  '192.0.0.255',
  '2001:4:112::1',
  '2001:1::1',
  '2001:3::1',
  '2001:30::1',
  '2001:5::1',
  '192.88.99.2',
  '',
  'localhost',
  '127.1',
  '0x7f000001',
  '2130706433',
  '1.2.3.4.5',
  '[::1]',
]

const outside = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
]
outside.push('192.31.195.255', '192.175.49.0', '2620:4f:8001::1', '2001:200::1', '168.63.129.17')
outside.push('172.32.0.1', '192.167.1.1', '198.17.0.1', '223.255.255.255', '2606:4700:4700::1111', '2a00::1')
outside.push(
  '2001:67c::1',
  '2003::1',
  '2410::1',
  '2630::1',
  '2620:0:2d0:200::7',
  '2803::1',
  '2a10::1',
  '2c0f::1',
)

t.test('an address that is private, reserved, embedded or no address at all is not public', async (t) => {
  t.same(inside.filter(isPublic), [])
})

t.test('isPublic: a public address is public', async (t) => {
  t.same(
    outside.filter((address) => !isPublic(address)),
    [],
  )
})

t.test('isPublic: an address of this machine is not public, whatever it is', async (t) => {
  const own = Object.values(networkInterfaces()).flatMap(
    (entries) => entries?.map(({ address }) => address) ?? [],
  )
  t.ok(own.length > 0)
  t.same(own.filter(isPublic), [])
})

t.test('isPublic: a public address is not public on the machine that has it', async (t) => {
  t.ok(isPublic('8.8.8.8') && isPublic('2606:4700:4700::1111'))
  const addresses = ['8.8.8.8', '2606:4700:4700:0::1111'].map((address) => ({ address }))
  t.intercept(os, 'networkInterfaces', { value: () => ({ lo: undefined, eth0: addresses }) })
  syncBuiltinESMExports()
  t.notOk(isPublic('8.8.8.8') || isPublic('2606:4700:4700::1111'))
  t.ok(isPublic('8.8.4.4'))
  t.teardown(syncBuiltinESMExports)
})
