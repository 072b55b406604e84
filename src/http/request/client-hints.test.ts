import { expect, test } from 'bun:test'

import { clientHintsOf } from './client-hints.ts'

const read = (headers: Record<string, string>) =>
  clientHintsOf(new Request('http://a.example/', { headers }))

test('hints are numbers within bounds, or not said', () => {
  expect(
    read({ 'Sec-CH-Width': '640', 'Sec-CH-Viewport-Width': '1280', 'Sec-CH-DPR': '2.625' }),
  ).toEqual({ width: 640, viewportWidth: 1280, density: 2.625, isSlow: false })
  for (const hostile of ['-1', '0', '1e3', 'NaN', '99999', '1'.repeat(5000), '"640"', '640, 320'])
    expect(read({ 'Sec-CH-Width': hostile }).width).toBeUndefined()
})

test('a connection is slow where the client says so in one way or another', () => {
  expect(read({ ECT: '3g' }).isSlow).toBe(true)
  expect(read({ 'Save-Data': 'on' }).isSlow).toBe(true)
  expect(read({ ECT: '4g', 'Save-Data': 'off' }).isSlow).toBe(false)
})
