import { expect, test } from 'bun:test'

import { isLoopback } from './loopback.ts'

for (const [host, isInside] of [
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['10.0.0.1', false],
  ['unknown', false],
  ['', false],
] as const)
  test(`"${host}" ${isInside ? 'stays on' : 'may leave'} this machine`, () => {
    expect(isLoopback(host)).toBe(isInside)
  })
