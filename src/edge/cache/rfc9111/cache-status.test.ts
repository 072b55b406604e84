import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseList, Token } from 'structured-headers'

import { cacheStatusMember, type ForwardReason } from './cache-status.ts'

const reasons: readonly ForwardReason[] = [
  'bypass',
  'method',
  'uri-miss',
  'vary-miss',
  'miss',
  'request',
  'stale',
  'partial',
]

test('a member is a token with parameters that parse back to what was told', () => {
  const statuses = fc.record(
    {
      hit: fc.boolean(),
      fwd: fc.constantFrom(...reasons),
      fwdStatus: fc.integer({ min: 100, max: 599 }),
      stored: fc.boolean(),
      collapsed: fc.boolean(),
      ttl: fc.integer({ min: -1e9, max: 1e9 }),
      key: fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
      detail: fc.string({ unit: 'grapheme-ascii' }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(statuses, (status) => {
      const [member] = parseList(cacheStatusMember('sedge', status))
      const told = new Map<string, unknown>(member?.[1])
      const reason = told.get('fwd')
      if (reason instanceof Token) told.set('fwd', reason.toString())
      const { fwdStatus, key, ...same } = status
      const flags = Object.entries({ ...same, 'fwd-status': fwdStatus })
      const expected = new Map<string, unknown>(
        flags.filter(([, value]) => value !== undefined && value !== false),
      )
      if (key !== undefined) expected.set('key', told.get('key') ?? 'missing')

      expect(member?.[0]).toEqual(new Token('sedge'))
      expect(told).toEqual(expected)
    }),
  )
})
