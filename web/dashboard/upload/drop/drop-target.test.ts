import { expect, test } from 'bun:test'

import { dropTargetOf, offeredTarget } from './drop-target.ts'

const zones = ['acme', 'harbour']
const last = { zone: 'acme', folder: 'logos' }
const nowhere = { zone: '', folder: 'icons' }

test('files go into the folder that is open', () => {
  const folder = 'harbour/v1/campaigns/2027'
  expect(dropTargetOf({ page: 'assets', search: { folder }, zones, last })).toEqual({
    zone: 'harbour',
    folder: 'campaigns/2027',
  })
  expect(dropTargetOf({ page: 'assets', search: { zone: 'harbour' }, zones, last })).toEqual({
    zone: 'harbour',
    folder: '',
  })
})

test('elsewhere they go where files went last', () => {
  expect(dropTargetOf({ page: 'assets', search: {}, zones, last })).toEqual(last)
  expect(dropTargetOf({ page: 'insights', search: {}, zones, last })).toEqual(last)
  expect(dropTargetOf({ page: 'insights', search: { zone: 'acme' }, zones, last })).toEqual(last)
  expect(dropTargetOf({ page: 'upload', search: { zone: 'harbour' }, zones, last })).toEqual({
    zone: 'harbour',
    folder: 'logos',
  })
})

test('somebody has to say where nothing is known, or the page is about another zone', () => {
  expect(dropTargetOf({ page: 'logs', search: {}, zones, last: nowhere })).toBeUndefined()
  expect(dropTargetOf({ page: 'zone', search: { zone: 'harbour' }, zones, last })).toBeUndefined()
  const gone = { zone: 'gone', folder: 'icons' }
  expect(dropTargetOf({ page: 'logs', search: {}, zones, last: gone })).toBeUndefined()
})

test('what is offered is the zone of the page, or the only one', () => {
  expect(offeredTarget({ search: { zone: 'harbour' }, zones, last })).toEqual({
    zone: 'harbour',
    folder: '',
  })
  expect(offeredTarget({ search: {}, zones: ['acme'], last })).toEqual(last)
  expect(offeredTarget({ search: {}, zones, last: nowhere })).toEqual({ zone: '', folder: '' })
})
