import { expect, test } from 'bun:test'

import { crumbsOf, directoryText, filterOf, narrowingOf, parentOf } from './place.ts'

test('a folder has what is in it, and a search what is below it', () => {
  const folder = 'acme/v1/campaigns'
  expect(narrowingOf({ folder })).toEqual({ folder, direct: 'true' })
  expect(narrowingOf({ folder, q: 'logo' })).toEqual({ folder, q: 'logo' })
  expect(narrowingOf({ folder, below: '1' })).toEqual({ folder })
  expect(narrowingOf({ zone: 'acme' })).toEqual({ project: 'acme' })
})

test('all of a list is said by its query, and everything by what fits everything', () => {
  expect(filterOf({ folder: 'acme/v1/a b', format: 'svg' })).toBe(
    'folder=acme%2Fv1%2Fa+b&format=svg',
  )
  expect(filterOf({ sort: 'name' })).toBe('created_after=1970-01-01')
})

test('crumbs lead from the zone to the folder', () => {
  expect(crumbsOf('')).toEqual([])
  expect(crumbsOf('acme/v1/x/y')).toEqual([
    { name: 'acme', path: 'acme/v1' },
    { name: 'x', path: 'acme/v1/x' },
    { name: 'y', path: 'acme/v1/x/y' },
  ])
  expect([parentOf('acme/v1/x'), parentOf('acme/v1')]).toEqual(['acme/v1', ''])
  expect(directoryText('acme/v1/x/a.svg')).toBe('acme / x')
})
