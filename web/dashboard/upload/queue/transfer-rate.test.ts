import { expect, test } from 'bun:test'

import { createTransferRate } from './transfer-rate.ts'

test('the rate is that of the last ten seconds, and is not told from too little', () => {
  let at = 0
  const rate = createTransferRate(() => at)
  rate.sent(500)
  expect(rate.bytesPerSecond()).toBeUndefined()
  at = 2_000
  rate.sent(2_000)
  expect(rate.bytesPerSecond()).toBe(1_000)
  at = 20_000
  expect(rate.bytesPerSecond()).toBeUndefined()
})
