import { expect, test } from 'bun:test'

import { changedMembers, draftOf, emptyDraft } from './draft.ts'

const said = {
  Title: 'A tent',
  Alt: { en: 'A tent by a lake', de: 'Ein Zelt' },
  Description: null,
  Tags: ['lake', 'tent'],
  Copyright: null,
  Licence: 'CC-BY-4.0',
  Expires: '2027-03-01T12:00:00.000Z',
  Custom: { sku: 'T-1', weight: 3 },
  FocalPoint: null,
}

test('what is left as it was is not sent', () => {
  expect(changedMembers(draftOf(said), draftOf(said))).toEqual({})
})

test('what is changed is sent, and what is empty is taken away', () => {
  const before = draftOf(said)
  const after = {
    ...before,
    title: ' The tent ',
    alt: { ...before.alt, de: '', fr: 'Une tente' },
    tags: 'lake,, camping ',
    licence: '',
    expires: '',
    custom: { ...before.custom, weight: '4', sku: '' },
  }
  expect(changedMembers(before, after)).toEqual({
    Title: 'The tent',
    Alt: { de: null, fr: 'Une tente' },
    Tags: ['lake', 'camping'],
    Licence: null,
    Expires: null,
    Custom: { weight: 4, sku: null },
  })
})

test('a day begins in UTC', () => {
  expect(changedMembers(emptyDraft, { ...emptyDraft, expires: '2027-05-01' })).toEqual({
    Expires: '2027-05-01T00:00:00Z',
  })
})
