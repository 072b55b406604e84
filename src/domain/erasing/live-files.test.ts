import { expect, test } from 'bun:test'

import type { AssetRecord } from '../../ports/records/asset.ts'
import type { ErasureRecord } from '../../ports/records/erasure.ts'
import { liveFiles } from './live-files.ts'

const assetAt = (path: string, sha256: string) => ({ path, sha256 }) as AssetRecord

test('a file that is moved while it is looked for is found', async () => {
  const former = Array.from({ length: 6_000 }, (_, index) => assetAt(`acme/${index}`, 'kept'))
  const later = [assetAt('bolt/a', 'erased')]
  const targets: string[] = []
  const place = liveFiles({
    published: {
      *all() {
        yield* former.slice()
        yield* later.slice()
      },
    },
    publisher: {
      commit({ target }) {
        targets.push(target)
        return Promise.reject(new Error('there is no repository'))
      },
    },
  })
  setImmediate(() => {
    later.pop()
    former.push(assetAt('acme/a', 'erased'))
  })
  const erasure = { id: 'e', blobs: [{ sha256: 'erased', sizeBytes: 1 }] } as unknown
  await place.forget(erasure as ErasureRecord, 'live').catch(() => undefined)

  expect(targets).toEqual(['bolt/a'])
})
