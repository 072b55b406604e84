import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { previewAt } from '../../ports/previews/preview-store.contract.ts'
import { hostsOf, isPreviewAt, withPreviewHosts } from './host-purposes.ts'

const host = 'spring--acme.previews.example'

test('the host name of a preview is of its zone, whatever domains say, and of its preview', () => {
  const world = new PublishedWorld()
  world.putDomain('img.acme.example', 'acme')
  world.putDomain(host, 'bolt')
  const previewHost = 'previews.example'
  const named = hostsOf({ previewHost, zoneOfHost: world.zoneOfHost })

  expect(named.zoneOfHost(host)).toBe('acme')
  expect(named.previewOfHost(host)).toBe('spring')
  expect(named.zoneOfHost('img.acme.example')).toBe('acme')
  expect(named.previewOfHost('img.acme.example')).toBeUndefined()
  expect(named.zoneOfHost('other.previews.example')).toBeUndefined()
  const counted = withPreviewHosts(world, previewHost)
  expect(counted.zoneOfHost(host)).toBe('acme')
  expect(withPreviewHosts(world, undefined).zoneOfHost(host)).toBe('bolt')
})

test('a certificate may be had for a preview that is there, signed or not, until it is over', () => {
  const manifest = new PublishedWorld()
  const clock = { now: new Date('2026-03-01') }
  const isPreview = isPreviewAt({
    previewHost: 'previews.example',
    manifest,
    now: () => clock.now,
  })
  expect(isPreview(host)).toBe(false)
  manifest.putPreview(
    previewAt('acme', 'spring', { isSigned: true, expiresAt: new Date('2026-04-01') }),
  )
  expect(isPreview(host)).toBe(true)
  expect(isPreview('spring--bolt.previews.example')).toBe(false)
  clock.now = new Date('2026-04-01')
  expect(isPreview(host)).toBe(false)
})
