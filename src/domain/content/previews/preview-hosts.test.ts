import { expect, test } from 'bun:test'

import { createPreviewHosts, hostOfPreview } from './preview-hosts.ts'

const hosts = createPreviewHosts('previews.example')

test('a host name below the one of previews names a preview and its zone', () => {
  const named = (label: string) => hosts.previewOf(`${label}.previews.example`)

  expect(named('spring--acme')).toEqual({ name: 'spring', zone: 'acme' })
  expect(named('pr-12--a--b')).toEqual({ name: 'pr-12', zone: 'a--b' })
  expect(named('a---b-c')).toEqual({ name: 'a', zone: '-b-c' })
  for (const label of [
    'spring',
    '--acme',
    'spring--',
    'spring--a',
    '-a--acme',
    'spring--acme.more',
    'more.spring--acme',
    `${'a'.repeat(41)}--acme`,
    `spring--${'a'.repeat(64)}`,
    'Spring--acme',
    'a'.repeat(100_000),
    '-'.repeat(100_000),
  ])
    expect(named(label)).toBeUndefined()
})

test('what is not below it is no preview’s, and what is can be nothing else', () => {
  expect(hosts.has('previews.example')).toBe(false)
  expect(hosts.has('evilpreviews.example')).toBe(false)
  expect(hosts.previewOf('spring--acme.other.example')).toBeUndefined()
  expect(hosts.has('anything.previews.example')).toBe(true)
  expect(createPreviewHosts(undefined).has('spring--acme.previews.example')).toBe(false)
  expect(createPreviewHosts(undefined).previewOf('spring--acme.undefined')).toBeUndefined()
})

test('a preview has the host name that leads to it, where that can be one', () => {
  const hostOf = (name: string, zone: string) => hostOfPreview({ name, zone }, 'previews.example')

  expect(hostOf('spring', 'acme')).toBe('spring--acme.previews.example')
  expect(hostOf('a'.repeat(40), 'b'.repeat(21))).toBe(
    `${'a'.repeat(40)}--${'b'.repeat(21)}.previews.example`,
  )
  expect(hostOf('a'.repeat(40), 'b'.repeat(22))).toBeUndefined()
  expect(hostOf('spring', 'acme-')).toBeUndefined()
  expect(hostOf('xn', 'acme')).toBeUndefined()
})
