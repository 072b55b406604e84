import { expect, test } from 'bun:test'

import { measureStalls } from '../support/stalls.ts'

/**
 * Far above what the machine itself may stall for and far below what a quadratic expression takes:
 * bench/stalls.ts measures how long it really is.
 */
const longMs = 750
/** The kinds that once were dear, and a share of all others. */
const always = /^(?:chat|stream|transform)/u
const share = 12

test('no anonymous request keeps others waiting', async () => {
  const { requests, worst } = await measureStalls({
    suspectMs: longMs / 3,
    choose: (all) => all.filter(({ name }, index) => always.test(name) || index % share === 0),
  })
  expect(requests).toBeGreaterThan(300)
  expect(worst.filter(({ milliseconds }) => milliseconds > longMs)).toEqual([])
}, 300_000)
