import { expect, test } from 'bun:test'

import { deedWords, senderWords } from './deed-words.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'

for (const [deed, words] of [
  [
    { action: 'purge', target: 'urls', meta: { urls: ['/acme/v1/a.svg', '/acme/v1/b.svg'] } },
    'purged 2 URLs of acme',
  ],
  [{ action: 'purge', target: 'tags', meta: { tags: ['zone-acme'] } }, 'purged 1 tag'],
  [{ action: 'purge', target: 'everything', meta: { everything: true } }, 'purged everything'],
  [{ action: 'storage.put', target: 'acme/v1/a.svg', meta: {} }, 'stored acme/v1/a.svg'],
  [{ action: 'storage.batch', target: 'acme', meta: { files: 12 } }, 'changed 12 files of acme'],
  [
    { action: 'zone.update', target: 'acme', meta: { suspended: true, before: {} } },
    'changed suspended of zone acme',
  ],
  [{ action: 'token.revoke', target: '7f3', meta: { name: 'ci' } }, 'revoked token ci'],
  [{ action: 'constructor', target: 'x', meta: {} }, 'constructor x'],
] as const)
  test(`${deed.action} of ${deed.target} is told in words`, () => {
    expect(deedWords(deed)).toBe(words)
  })

test('who did it is told as people say it', () => {
  expect(senderWords({ kind: 'session', id: 'session:1' }, firefox)).toBe(
    'Session of Firefox on Linux',
  )
  expect(senderWords({ kind: 'token', id: 'token:1', name: 'ci' }, undefined)).toBe('Token ci')
  expect(senderWords({ kind: 'person', id: '1', name: 'Ada' }, firefox)).toBe('Ada')
  expect(senderWords({ kind: 'key', id: 'account-key' }, undefined)).toBe('Account key')
  expect(senderWords({ kind: 'service', id: 'sedge' }, undefined)).toBe('Sedge')
  expect(senderWords(undefined, undefined)).toBe('Somebody')
})
