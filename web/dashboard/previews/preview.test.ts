import { expect, test } from 'bun:test'

import { faultOfPreviewName } from './preview.ts'

test('a name that the service takes has no fault, and any other says what is wrong', () => {
  for (const name of ['a', 'spring', 'pr-12', `${'a'.repeat(39)}9`])
    expect({ name, fault: faultOfPreviewName(name) }).toEqual({ name, fault: undefined })
  for (const name of ['Spring', 'a b', 'a/b', '-a', 'a--b', 'ä', 'a'.repeat(41)])
    expect({ name, isFaulty: faultOfPreviewName(name) !== undefined }).toEqual({
      name,
      isFaulty: true,
    })
})
