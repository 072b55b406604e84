import { expect, test } from 'bun:test'

import { overlay } from './overlay-value.ts'

const plain = { place: 'center', width: undefined, opacity: 100, margin: 0, isTiled: false }

for (const [text, value] of [
  ['/acme/v1/a.svg', { path: '/acme/v1/a.svg' }],
  ['/acme/v1/a.svg@southeast', { path: '/acme/v1/a.svg', place: 'southeast' }],
  ['a@2x.png', { path: 'a@2x.png' }],
  ['a@2x.png@north', { path: 'a@2x.png', place: 'north' }],
  ['@c0ffee0/acme/v1/a.png', { path: '@c0ffee0/acme/v1/a.png' }],
  ['a.png@west,20', { path: 'a.png', place: 'west', width: 20 }],
  ['a.png@west,,50', { path: 'a.png', place: 'west', opacity: 50 }],
  ['a.png@west,20,50,8', { path: 'a.png', place: 'west', width: 20, opacity: 50, margin: 8 }],
  [
    'a.png@center,10,30,40,tile',
    { width: 10, opacity: 30, margin: 40, path: 'a.png', isTiled: true },
  ],
  ['a.png@center,tile', { path: 'a.png', isTiled: true }],
] as const)
  test(`${text} is understood`, () => {
    expect(overlay.schema.parse(text)).toEqual({ ...plain, ...value } as never)
  })

for (const text of [
  '',
  '@north',
  'a.png@north,0',
  'a.png@north,101',
  'a.png@north,10,0',
  'a.png@north,10,101',
  'a.png@north,-1',
  'a.png@north,1e2',
  'a.png@north,10,10,1000',
  'a.png@north,10,10,10,10',
  'a.png@north,tile,10',
  'a'.repeat(2000),
  `a${'@'.repeat(3000)}`,
  `a@north${',1'.repeat(3000)}`,
])
  test(`${text.slice(0, 30)} (${text.length}) is no overlay`, () => {
    expect(overlay.schema.safeParse(text).success).toBe(false)
  })
