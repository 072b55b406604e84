import { expect, test } from 'bun:test'

import type { RequestLine } from '../../../ports/traffic/request-log-store.ts'
import { parseLogQuery } from './log-query.ts'

const line: RequestLine = {
  at: 0,
  method: 'PUT',
  path: '/acme/v1/icons/logo.svg',
  status: 404,
  ms: 250.5,
  bytes: 2_000_000,
  cache: 'miss',
  zone: 'acme',
  by: { kind: 'token', id: 'token:7f3', name: 'CI upload' },
  country: 'DE',
  network: '192.0.2.0/24',
  referrer: 'www.example.org',
  agent: 'curl',
  requestId: 'b8a3f1de-0001',
  code: 'AssetNotFound',
  reason: 'There is no such file',
}

function queryOf(text: string) {
  const parsed = parseLogQuery(text)
  if ('fault' in parsed) throw new Error(`${parsed.fault.position}: ${parsed.fault.message}`)
  return parsed.query
}

const finds = (text: string) => queryOf(text).matches(line)

for (const text of [
  '',
  '   ',
  'status:404',
  'status:>=400',
  'status:<500',
  'status:400..404',
  'status:4xx',
  'status:200,404',
  'status:2xx,4XX',
  '-status:304',
  'method:put',
  'zone:acme',
  'path:/acme/v1/*',
  'path:*/icons/*.svg',
  'path:/acme/v1/icons/logo.svg',
  'ms:>200',
  'ms:0.2s..0.3s',
  'bytes:>1mb',
  'bytes:>1000000',
  'cache:miss',
  'cache:hit,miss',
  'by:token',
  '-by:session',
  'token:"ci upload"',
  'token:7f3',
  'token:ci*',
  'country:de',
  'network:192.0.2.*',
  'code:assetnotfound',
  'id:b8a3f1de-0001',
  'referrer:*.example.org',
  'agent:curl',
  'LOGO',
  '"no such"',
  '-banner',
  'b8a3f1de',
  'status:404 method:PUT logo',
])
  test(`"${text}" finds the line`, () => {
    expect(finds(text)).toBe(true)
    expect(queryOf(text).mayMatch(JSON.stringify(line))).toBe(true)
  })

for (const text of [
  'status:200',
  '-status:404',
  'status:>404',
  'status:5xx',
  'zone:acm',
  'zone:ACME',
  'path:/acme/v1',
  'path:/acme/v1/*png',
  'path:/acme/v1/icons/logo.svg*g',
  'ms:>251',
  'cache:hit',
  'by:nobody',
  'token:ci',
  'country:AT',
  'id:b8a3f1de',
  'banner',
  'status:404 method:GET',
])
  test(`"${text}" does not find the line`, () => {
    expect(finds(text)).toBe(false)
  })

for (const [text, position, says] of [
  ['status:>=4oo', 9, 'a number after status:'],
  ['status:404,x', 11, 'a number'],
  ['method:GET sttus:404', 11, 'must not have the word sttus'],
  ['method:GET -constructor:1', 12, 'must not have the word'],
  ['status:', 7, 'something after status:'],
  ['cache:warm', 6, 'must be one of hit, miss, none'],
  ['path:"/a b', 5, 'must close the quotes'],
  ['a '.repeat(21), 40, 'at most 20 conditions'],
  ['a'.repeat(501), 500, 'at most 500 characters'],
] as const)
  test(`"${text.slice(0, 40)}" is refused where it goes wrong`, () => {
    const parsed = parseLogQuery(text)
    expect('fault' in parsed && parsed.fault).toMatchObject({ position })
    expect('fault' in parsed && parsed.fault.message).toContain(says)
  })

test('what a status cannot be among is not looked at', () => {
  const kindsOf = (text: string) => [...queryOf(text).kinds].toSorted()
  expect(kindsOf('')).toEqual(['delivered', 'failed', 'missing', 'refused'])
  expect(kindsOf('status:>=500')).toEqual(['failed'])
  expect(kindsOf('status:404')).toEqual(['missing'])
  expect(kindsOf('status:>=400 -status:404,410')).toEqual(['failed', 'refused'])
  expect(kindsOf('-status:>=400')).toEqual(['delivered'])
  expect(kindsOf('status:200 status:404')).toEqual([])
})

test('a line without the literal of a query need not be taken apart', () => {
  expect(queryOf('id:b8a3').mayMatch(JSON.stringify(line))).toBe(false)
  expect(queryOf('-id:b8a3').mayMatch(JSON.stringify(line))).toBe(true)
  expect(queryOf('path:/acme/*').mayMatch(JSON.stringify(line))).toBe(true)
})

test('no query takes long, whatever the line', () => {
  const hard = { ...line, path: 'a'.repeat(8_000) }
  const start = performance.now()
  expect(queryOf(`path:${'*a'.repeat(200)}b`).matches(hard)).toBe(false)
  expect(performance.now() - start).toBeLessThan(100)
})
