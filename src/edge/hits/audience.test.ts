import { expect, test } from 'bun:test'

import { agentFamily } from './agent-family.ts'
import { createAudience } from './audience.ts'
import { referrerName } from './referrer-name.ts'

const asking = (headers: Readonly<Record<string, string>> = {}) => ({
  headers: new Headers(headers),
})

test('of a referrer the host name alone is kept, and no address', () => {
  const names = {
    'https://Shop.example/basket?user=ana#x': 'shop.example',
    'http://shop.example.:8080/': 'shop.example',
    'https://ana:secret@shop.example/': 'shop.example',
    'https://bücher.example/': 'xn--bcher-kva.example',
    'http://192.0.2.7/x': '(other)',
    'http://[2001:db8::1]/': '(other)',
    'android-app://com.example.app/': '(other)',
    nonsense: '(other)',
    '': '(none)',
  }
  for (const [referrer, name] of Object.entries(names))
    expect({ referrer, name: referrerName(referrer) }).toEqual({ referrer, name })
  expect(referrerName(null)).toBe('(none)')
})

test('agents are families without versions', () => {
  const families = {
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36': 'Chrome',
    'Mozilla/5.0 (Macintosh) AppleWebKit/605 Version/19.0 Safari/605.1.15': 'Safari',
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0': 'Edge',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': 'Googlebot',
    'somebot/1.0': 'Other bots',
    'curl/8.5.0': 'curl',
    'Ana’s own program': 'Other',
    '': '(none)',
  }
  for (const [agent, family] of Object.entries(families))
    expect({ agent, family: agentFamily(agent) }).toEqual({ agent, family })
})

test('every request is in each sum, and bytes that come later find their place', () => {
  const audience = createAudience()
  const request = asking({ Referer: 'https://a.example/', 'User-Agent': 'curl/8' })
  audience.note({ zone: 'acme', request, bytes: 10, milliseconds: 0.001 })
  audience.note({ zone: 'acme', request: asking(), bytes: 5, milliseconds: 0.001 })
  audience.addBytes({ zone: 'acme', request, bytes: 7 })
  const [row] = audience.take()
  expect(row).toEqual({
    zone: 'acme',
    latencies: [[0, 2]],
    referrers: [
      { name: 'a.example', requests: 1, bytes: 17 },
      { name: '(none)', requests: 1, bytes: 5 },
    ],
    agents: [
      { name: 'curl', requests: 1, bytes: 17 },
      { name: '(none)', requests: 1, bytes: 5 },
    ],
  })
  expect(audience.take()).toEqual([])
})

test('referrers that anybody makes up find an end, and none is lost', () => {
  const audience = createAudience()
  for (let each = 0; each < 3_000; each += 1)
    audience.note({
      zone: 'acme',
      request: asking({ Referer: `https://h${each}.example/` }),
      bytes: 1,
      milliseconds: 1,
    })
  const [row] = audience.take()
  expect(row?.referrers.length).toBeLessThanOrEqual(1_001)
  expect(row?.referrers.reduce((sum, { requests }) => sum + requests, 0)).toBe(3_000)
})
