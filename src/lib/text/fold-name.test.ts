import { expect, test } from 'bun:test'

import { foldName } from './fold-name.ts'

test.each([
  ['Logo.SVG', 'logo.svg'],
  ['caf\u00e9', 'CAFE\u0301'],
  ['ΣΑΣ', 'σας'],
  ['\u212bngstrom', 'ångstrom'],
])('%s and %s are one name where case and form do not count', (one, other) => {
  expect(foldName(one)).toBe(foldName(other))
})

test.each([
  ['straße', 'strasse'],
  ['a.png', 'a.jpg'],
  ['resume', 'résumé'],
])('%s and %s are two names', (one, other) => {
  expect(foldName(one)).not.toBe(foldName(other))
})
