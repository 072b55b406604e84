import { expect, test } from 'bun:test'

import { zoneIdent, zoneSubject } from './zone-commit-text.ts'

const said = (subject: string, isShared = false) =>
  zoneSubject({ zone: 'acme', subject, isShared, fileCount: 2 })

test('a subject that is about the zone alone stays', () => {
  for (const subject of [
    'Put acme/v1/logos/a.svg',
    'Restore clients/acme/v1 as of 012345',
    'Größe: 3/v1x of it',
    'Copy 3 paths of acme',
    'Photos of cats, dogs',
  ])
    expect(said(subject)).toBe(subject)
  expect(said('x'.repeat(600))).toBe('x'.repeat(500))
})

test('one that names what is another zone’s is replaced, and so is one of a commit that did more', () => {
  for (const subject of [
    'Copy bolt/v1/a.svg to acme/v1/a.svg',
    'Move acme/v1/a to acme-2/v1/a',
    'As in clients/bolt',
    'bolt/v1',
    'Copy 3 paths of acme, bolt',
    'Put 12 files into acme, bolt-2',
    '',
  ])
    expect(said(subject)).toBe('Change 2 files')
  expect(said('Put acme/v1/logos/a.svg', true)).toBe('Change 2 files')
})

test('no subject takes long', () => {
  const start = performance.now()
  said('a'.repeat(1_000_000))
  said('clients/'.repeat(100_000))
  said('-v1/'.repeat(200_000))
  expect(performance.now() - start).toBeLessThan(500)
})

test('names, addresses and times are such as git writes them', () => {
  expect(zoneIdent('Ada <ada@example.org> 1700000000 +0530', 1)).toBe(
    'Ada <ada@example.org> 1700000000 +0530',
  )
  expect(zoneIdent(' <ada@example.org> 1700000000 +0530', 1)).toBe(
    'unknown <ada@example.org> 1700000000 +0530',
  )
  expect(zoneIdent('Ada', 1_700_000_000)).toBe('unknown <unknown@sedge.invalid> 1700000000 +0000')
  expect(zoneIdent('A <b <c@d> 17 +0000', 1)).toBe('A b <c@d> 17 +0000')
})
