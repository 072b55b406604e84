import { expect, test } from 'bun:test'

import { MemoryNameResolver } from '../../adapters/memory/domains/memory-name-resolver.ts'
import { checkName } from './check-name.ts'

const target = 'edge.cdn.example'

function names(given: {
  readonly aliases?: Readonly<Record<string, string>>
  readonly addresses?: Readonly<Record<string, readonly string[]>>
}): MemoryNameResolver {
  const resolver = new MemoryNameResolver()
  for (const [name, alias] of Object.entries(given.aliases ?? {}))
    resolver.aliasByName.set(name, alias)
  for (const [name, list] of Object.entries(given.addresses ?? {}))
    resolver.addressesByName.set(name, list)
  return resolver
}

test('an alias of the target leads here, also by way of others', async () => {
  const direct = names({ aliases: { 'a.example': target } })
  expect(await checkName('a.example', target, direct)).toEqual({
    event: 'pointed',
    reason: undefined,
  })
  const indirect = names({ aliases: { 'a.example': 'b.example', 'b.example': target } })
  expect((await checkName('a.example', 'Edge.CDN.example', indirect)).event).toBe('pointed')
})

test('a name with only the addresses of the target leads here', async () => {
  const addresses = { [target]: ['192.0.2.1', '2001:db8::1'], 'a.example': ['192.0.2.1'] }
  expect((await checkName('a.example', target, names({ addresses }))).event).toBe('pointed')
  const mixed = { ...addresses, 'a.example': ['192.0.2.1', '198.51.100.7'] }
  const check = await checkName('a.example', target, names({ addresses: mixed }))
  expect(check.event).toBe('misdirected')
  expect(check.reason).toContain('leads to 192.0.2.1, 198.51.100.7 instead of edge.cdn.example')
})

test('what is missing is said together with the record to set', async () => {
  const nothing = await checkName('a.example', target, names({}))
  expect(nothing.event).toBe('misdirected')
  expect(nothing.reason).toStartWith('a.example has neither a CNAME record nor an address')
  expect(nothing.reason).toContain('"a.example CNAME edge.cdn.example"')

  const wrong = names({ aliases: { 'a.example': 'old.example' } })
  const check = await checkName('a.example', target, wrong)
  expect(check.reason).toStartWith('a.example leads to old.example instead of edge.cdn.example')
})

test('name servers that do not answer are nobody’s fault', async () => {
  const resolver = names({})
  resolver.outage = 'the name servers did not answer'
  expect(await checkName('a.example', target, resolver)).toEqual({
    event: 'delayed',
    reason:
      'The CNAME record of a.example could not be looked up: the name servers did not answer.',
  })
})

test('aliases that go round in a circle end somewhere', async () => {
  const circle = names({ aliases: { 'a.example': 'b.example', 'b.example': 'a.example' } })
  expect((await checkName('a.example', target, circle)).event).toBe('misdirected')
})

test('without a target every address will do, and none will not', async () => {
  const somewhere = names({ addresses: { 'a.example': ['192.0.2.9'] } })
  expect((await checkName('a.example', undefined, somewhere)).event).toBe('pointed')
  expect((await checkName('a.example', undefined, names({}))).reason).toContain(
    'set one that leads',
  )
})
