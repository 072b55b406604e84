import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { createDeliveryCounter } from './count-deliveries.ts'
import { transformImage } from './transform.ts'

const path = 'acme/v1/photos/a.png'

/** What a request that was answered with 200 is counted for. */
async function countedFor(query: string, host = 'cdn.example'): Promise<string> {
  const manifest = new PublishedWorld()
  await manifest.publish(path, 'image')
  manifest.putDomain('img.acme.example', 'acme')
  const keys: string[] = []
  const count = createDeliveryCounter({
    transfers: undefined,
    manifest,
    countryOf: () => 'XX',
    isOwn: () => false,
    counters: {
      counter: (key) => {
        keys.push(`${key.zone} ${key.path}`)
        return { requests: 0, bytes: 0 }
      },
      audience: { note: () => {}, addBytes: () => {}, noteOwn: () => {} },
    },
  })
  const request = new Request(`https://${host}/api/transform?url=${encodeURIComponent(query)}`)
  const response = new Response('image')
  const asked = { operation: transformImage, request, peerAddress: '::1', asset: undefined }
  count({ ...asked, response, milliseconds: 1 })
  return keys[0] ?? ''
}

test('what is made of an asset counts for it, in whatever version and by whatever name', async () => {
  for (const named of [
    path,
    `/${path}`,
    `https://cdn.example/${path}`,
    `/@${'c'.repeat(40)}/${path}`,
    `@~spring/${path}`,
    `https://cdn.example/@~spring/${path}`,
    `https://cdn.example/%40~spring/${path}`,
  ])
    expect([named, await countedFor(named)]).toEqual([named, `acme ${path}`])
  expect(await countedFor('v1/photos/a.png', 'img.acme.example')).toBe(`acme ${path}`)
  expect(await countedFor('/@~spring/none/v1/photos/a.png')).toBe(' ')
})
