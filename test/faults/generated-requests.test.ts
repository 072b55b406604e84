import { expect, test } from 'bun:test'

import { drive } from '../hostility/drive.ts'
import { openLocalService } from '../support/local-service.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const requests = 3_000

test(`${requests} requests made from the description of the interface are answered as it says, and tell nobody what is not theirs`, async () => {
  const random = createRandom(seedOf('generated requests'))
  await using directory = await temporaryDirectory()
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  await using service = await openLocalService({ dataDirectory: directory.path, environment })
  const { faults, reached, byStatus } = await drive(service, { requests, random })

  expect(faults).toEqual([])
  expect(service.lines.filter((line) => line.includes('InternalError'))).toEqual([])
  // What is refused at the door proves nothing of what is behind.
  expect(reached).toBeGreaterThan(70)
  expect(byStatus.get(200) ?? 0).toBeGreaterThan(requests / 20)
}, 300_000)
