import { expect, test } from 'bun:test'

import { clientHintsOf, withHintSteps } from './client-hints.ts'

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

const stepped = (headers: Record<string, string>) => {
  const { headers: fields } = withHintSteps(new Request('http://a.example/', { headers }))
  const said = ['sec-ch-width', 'sec-ch-viewport-width', 'sec-ch-dpr', 'ect', 'save-data']
  return said.map((name) => fields.get(name))
}

test('whatever a client says becomes one of a few steps, of which the response is the same', () => {
  expect(stepped({ 'Sec-CH-Width': '621' })).toEqual(['720', null, null, null, null])
  expect(stepped({ 'Sec-CH-Viewport-Width': '360', 'Sec-CH-DPR': '2.625' })).toEqual([
    '1080',
    null,
    '3',
    null,
    null,
  ])
  expect(stepped({ ECT: 'slow-2g' })).toEqual([null, null, null, '2g', null])
  expect(stepped({ ECT: '3g', 'Save-Data': 'On' })).toEqual([null, null, null, null, 'on'])
  expect(stepped({ ECT: '4g', 'Save-Data': 'off', 'Sec-CH-Width': 'x' })).toEqual(
    Array.from({ length: 5 }, () => null),
  )
})

test('a request that says nothing of itself is left as it is', () => {
  const request = new Request('http://a.example/', { headers: { accept: 'image/avif' } })
  expect(withHintSteps(request)).toBe(request)
})

test('there are few ways to say all that a client can say of a width', () => {
  const ways = new Set<string>()
  for (let width = 1; width < 20_000; width += 7)
    ways.add(String(stepped({ 'Sec-CH-Width': String(width) })[0]))
  expect(ways.size).toBeLessThan(25)
})
