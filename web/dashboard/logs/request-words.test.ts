import { expect, test } from 'bun:test'

import { logWords } from '../../../src/domain/logs/query/words.ts'
import { conditionOf } from '../parts/log-condition.ts'
import { suggestionsFor } from './request-words.ts'

test('every word of a query is suggested, and no other', () => {
  const words = suggestionsFor('').map((suggestion) => suggestion.split(':')[0])
  expect(words).toEqual(Object.keys(logWords))
})

test('what is typed is gone on from, behind what is there', () => {
  expect(suggestionsFor('zone:acme -st')).toEqual(['zone:acme -status:>=400'])
  expect(suggestionsFor('status:')).toEqual(['status:>=400'])
  expect(suggestionsFor('logo.svg')).toEqual([])
})

test('a value with spaces goes in quotes', () => {
  expect(conditionOf('token', 'CI upload')).toBe('token:"CI upload"')
  expect(conditionOf('zone', 'acme')).toBe('zone:acme')
})
