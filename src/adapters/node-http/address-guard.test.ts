import { expect, test } from 'bun:test'
import { isIP } from 'node:net'

import fc from 'fast-check'

import { createPublicAddressCheck } from '../../lib/net/public-address.ts'
import { NodeWebhookSender } from './node-webhook-sender.ts'

/** Addresses that are not of the public Internet, by what they are. */
const closedAddresses: Readonly<Record<string, readonly string[]>> = {
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1'],
  metadata: ['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  'special purpose': ['192.0.0.1', '192.88.99.1', '198.18.0.1', '198.19.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'AS112 and AMT': ['192.31.196.1', '192.175.48.1', '192.52.193.1', '2620:4f:8000::1', '2001:3::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.254', '255.255.255.255'],
  'unique local': ['fc00::1', 'fd12:3456::1', 'fdff::1'],
  'site-local': ['fec0::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1'],
  'IPv4-translated': ['::ffff:0:7f00:1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::'],
  'ORCHID and benchmarking': ['2001:10::1', '2001:20::1', '2001:2::1'],
  discard: ['100::1'],
  'with a zone': ['fe80::1%1', '2606:4700::1%eth0'],
}

/** The same, in spellings that a URL may use. */
const closedHosts = [
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '１２７.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[64:ff9b::169.254.169.254]',
  'localhost',
  'LOCALHOST.',
  'api.localhost',
  'printer.local',
  'metadata.google.internal',
  'router.lan',
  'nas.home.arpa',
  'intranet',
]

const closedUrls = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  '//example.com/',
  'example.com',
  '',
  'https://',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com:22/',
  'https://example.com:80/',
  'https://example.com:25/',
  'https://example.com:6379/',
  'https://example.com:99999/',
]

const publicAddress = '93.184.215.14'

function openGuarded(resolve: (hostname: string) => Promise<readonly string[]>) {
  const used: string[] = []
  const sender = new NodeWebhookSender({
    allowPrivate: false,
    monotonicMs: () => 0,
    timeoutMs: 1_000,
    resolve,
    onRequest(address) {
      used.push(address)
      throw new Error('no test may go out')
    },
  })
  return { sender, used }
}

const requestTo = (url: string) => ({ url, headers: {}, body: '' })

test('no closed address is connected to, as a literal or behind a name', async () => {
  for (const [what, addresses] of Object.entries(closedAddresses))
    for (const address of addresses) {
      const { sender, used } = openGuarded(async () => [address])
      const literal = address.includes(':') ? `[${address}]` : address
      for (const url of [`https://${literal}/`, 'https://hooks.example/']) {
        const answer = await sender.send(requestTo(url))
        const refusal = await sender.refusalOf(url)
        expect({ what, address, url, used, status: answer.status, refusal }).toEqual({
          what,
          address,
          url,
          used: [],
          status: undefined,
          refusal: expect.stringMatching(/^must /u),
        })
      }
    }
})

test('no spelling of a closed address or name is connected to', async () => {
  // Whatever were looked up would be allowed: the refusal has to come before.
  const { sender, used } = openGuarded(async () => [publicAddress])
  for (const url of [...closedHosts.map((host) => `https://${host}/`), ...closedUrls]) {
    expect({ url, refusal: await sender.refusalOf(url) }).toEqual({
      url,
      refusal: expect.stringMatching(/^must /u),
    })
    expect((await sender.send(requestTo(url))).error).toMatch(/^url must /u)
  }
  expect(used).toEqual([])
})

test('nothing that listens on this machine is reached, by any spelling of its address', async () => {
  let connections = 0
  const listenAt = (hostname: string) =>
    Bun.listen({
      hostname,
      port: 0,
      socket: { open: () => void (connections += 1), data() {} },
    })
  using server = listenAt('0.0.0.0')
  const sender = new NodeWebhookSender({ allowPrivate: false, monotonicMs: () => 0 })
  const hosts = [...closedHosts, '127.0.0.1', '0.0.0.0', '[::]', '[::1]', '[::ffff:127.0.0.1]']
  for (const host of hosts) {
    await sender.send(requestTo(`https://${host}:${server.port}/`))
    await sender.send(requestTo(`http://${host}:${server.port}/`))
  }

  expect(connections).toBe(0)
})

test('a name is looked up once for a request, and the checked address is the one used', async () => {
  let lookUps = 0
  const { sender, used } = openGuarded(async () => {
    lookUps += 1
    return lookUps === 1 ? [publicAddress] : ['127.0.0.1']
  })
  await sender.send(requestTo('https://rebinding.example/'))
  expect({ lookUps, used }).toEqual({ lookUps: 1, used: [publicAddress] })
  await sender.send(requestTo('https://rebinding.example/'))

  expect({ lookUps, used }).toEqual({ lookUps: 2, used: [publicAddress] })
})

test('of several addresses only the public ones are used', async () => {
  const { sender, used } = openGuarded(async () => ['10.0.0.1', '::1', publicAddress, '127.0.0.1'])
  await sender.send(requestTo('https://hooks.example/'))

  expect(used).toEqual([publicAddress])
})

test('public addresses and names pass', async () => {
  const open = [
    '1.1.1.1',
    '93.184.215.14',
    '[2606:4700::1111]',
    'hooks.example',
    'a.b.example:8443',
  ]
  const { sender } = openGuarded(async () => [publicAddress])
  for (const host of open)
    expect({ host, refusal: await sender.refusalOf(`https://${host}/x?y`) }).toEqual({
      host,
      refusal: undefined,
    })
})

test('property: an IPv6 address is public only within 2000::/3, and never with IPv4 inside', () => {
  const isPublic = createPublicAddressCheck()
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      if (!isPublic(address)) return
      const first = Number.parseInt(address.split(':')[0] ?? '', 16)
      expect(isIP(address)).toBe(6)
      expect(first >>> 13).toBe(1)
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      for (const prefix of ['::ffff:', '::', '64:ff9b::'])
        expect(isPublic(`${prefix}${address}`)).toBe(false)
    }),
  )
})

test('property: any text at all is refused or public, and never a fault', () => {
  const isPublic = createPublicAddressCheck()
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      if (isIP(text) === 0) expect(isPublic(text)).toBe(false)
    }),
  )
})
