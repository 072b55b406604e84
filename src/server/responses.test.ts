import { expect, test } from 'bun:test'

import { domainAt } from '../ports/content/publication-store.contract.ts'
import { addressList } from '../lib/net/address-list.ts'
import { createPlainResponses } from './tls/plain-responses.ts'
import { createSecureResponses } from './tls/secure-responses.ts'

const proxy = '10.0.0.1'
const client = '192.0.2.1'
const trustedProxies = addressList([proxy])
const keepOpen = () => undefined
const respond = () => new Response('served')

const secureStatus = async (hostname: string, peer = client) => {
  const secure = createSecureResponses({
    respond,
    isDomain: (name) => name.endsWith('.tenant.example'),
    trustedProxies,
    hstsMaxAgeSeconds: 60,
  })
  const names = ['own.example', '*.many.tenant.example', 'www.tenant.example']
  secure.useCertificates([{ cert: '', key: '', names }])
  const request = new Request(`https://${hostname}/a.txt`)
  return (await secure.respond(request, peer, keepOpen)).status
}

test('a domain that no certificate covers is misdirected, unless a proxy of ours asks', async () => {
  expect(await secureStatus('www.tenant.example')).toBe(200)
  expect(await secureStatus('www.tenant.example:8443')).toBe(200)
  expect(await secureStatus('a.many.tenant.example')).toBe(200)
  expect(await secureStatus('new.tenant.example')).toBe(421)
  expect(await secureStatus('a.b.many.tenant.example')).toBe(421)
  expect(await secureStatus('new.tenant.example', proxy)).toBe(200)
  // What is no domain is for the service to tell.
  expect(await secureStatus('stranger.example')).toBe(200)
  expect(await secureStatus('[2001:db8::1]')).toBe(200)
})

test('answers over https say to come by https, unless a rule has said something else', async () => {
  const given = (answer: () => Response | Promise<Response>) =>
    createSecureResponses({
      respond: answer,
      isDomain: () => false,
      trustedProxies,
      hstsMaxAgeSeconds: 60,
    }).respond(new Request('https://own.example/'), client, keepOpen)
  const field = 'Strict-Transport-Security'
  expect((await given(respond)).headers.get(field)).toBe('max-age=60')
  expect((await given(async () => respond())).headers.get(field)).toBe('max-age=60')
  const ruled = await given(() => new Response('', { headers: { [field]: 'max-age=0' } }))
  expect(ruled.headers.get(field)).toBe('max-age=0')
})

const domains = {
  'www.tenant.example': { redirectsToHttps: true, certificateExpiresAt: new Date(1) },
  'new.tenant.example': { redirectsToHttps: true, certificateExpiresAt: undefined },
  'free.tenant.example': { redirectsToHttps: false, certificateExpiresAt: new Date(1) },
}

async function plain(url: string, peer = client, headers = {}): Promise<string> {
  const answer = await createPlainResponses({
    respond,
    domainOf: (name) =>
      name in domains ? domainAt(name, domains[name as keyof typeof domains]) : undefined,
    trustedProxies,
    baseUrl: 'https://own.example:8443',
  })(new Request(url, { headers }), peer, keepOpen)
  return answer.headers.get('location') ?? (await answer.text())
}

test('plain HTTP serves challenges and domains that do not redirect, and sends all else to https', async () => {
  expect(await plain('http://www.tenant.example/v1/a.txt?x=1')).toBe(
    'https://www.tenant.example:8443/v1/a.txt?x=1',
  )
  expect(await plain('http://own.example:80/')).toBe('https://own.example:8443/')
  expect(await plain('http://free.tenant.example/api/core/zones')).toStartWith('https://')
  expect(await plain('http://new.tenant.example/v1/a.txt')).toBe('served')
  expect(await plain('http://free.tenant.example/v1/a.txt')).toBe('served')
  for (const name of ['www.tenant.example', 'own.example', 'stranger.example'])
    expect(await plain(`http://${name}/.well-known/acme-challenge/x`)).toBe('served')
})

test('a proxy of ours that was asked by https is not sent there again; nobody else is believed', async () => {
  const forwarded = { 'X-Forwarded-Proto': 'https' }
  expect(await plain('http://www.tenant.example/', proxy, forwarded)).toBe('served')
  expect(await plain('http://www.tenant.example/', client, forwarded)).toStartWith('https://')
  expect(await plain('http://www.tenant.example/', proxy)).toStartWith('https://')
})
