import { expect, test } from 'bun:test'

import { attachmentNamed } from './content-disposition.ts'

for (const [name, field] of [
  ['card.webp', `attachment; filename="card.webp"; filename*=UTF-8''card.webp`],
  [
    'Grüße "1".png',
    `attachment; filename="Gr__e _1_.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.png`,
  ],
  [
    "it's (1)*.png",
    `attachment; filename="it's (1)*.png"; filename*=UTF-8''it%27s%20%281%29%2A.png`,
  ],
] as const)
  test(`${name} is spelled for all browsers`, () => {
    expect(attachmentNamed(name)).toBe(field)
    expect(() => new Headers({ 'Content-Disposition': field })).not.toThrow()
  })
