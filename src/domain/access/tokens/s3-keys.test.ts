import { expect, test } from 'bun:test'

import { Secret } from '../../../lib/secrets/secret.ts'
import { createS3Keys } from './s3-keys.ts'

const newer = new Secret('newer')
const former = new Secret('former')

test('each token has a secret access key of its own, always the same', () => {
  const keys = createS3Keys(newer, [])
  const [one, other] = ['one', 'other'].map((id) => keys.secretOf(id).reveal())
  expect(one).toMatch(/^[0-9a-f]{40}$/u)
  expect(one).not.toBe(other)
  expect(createS3Keys(newer, []).secretOf('one').reveal()).toBe(one ?? '')
  expect(String(keys.secretOf('one'))).not.toContain(one ?? '')
})

test('what the former secret made is good as long as that is', () => {
  const before = createS3Keys(former, []).secretOf('one').reveal()
  const good = (keys: ReturnType<typeof createS3Keys>) =>
    keys.secretsOf('one').map((secret) => secret.reveal())
  const changed = createS3Keys(newer, [former])
  expect(good(changed)).toEqual([changed.secretOf('one').reveal(), before])
  expect(good(createS3Keys(newer, []))).not.toContain(before)
})
