import { expect, test } from 'bun:test'

import { Secret } from '../../../lib/secrets/secret.ts'
import { createStatelessChallenges } from './stateless-challenges.ts'

const site = { origin: 'https://cdn.example', rpId: 'cdn.example' }
const [secret, former] = [new Secret('a session secret'), new Secret('the one before')]

function openWorld() {
  const clock = { nowMs: 1_790_000_000_000 }
  const now = () => new Date(clock.nowMs)
  return { clock, now, challenges: createStatelessChallenges({ secrets: [secret, former], now }) }
}

test('a challenge is good for five minutes, on the site it was made for', () => {
  const { challenges, clock } = openWorld()
  const challenge = challenges.make(site)

  expect(challenges.read(challenge, site)).toEqual(new Date(clock.nowMs + 300_000))
  for (const other of [
    { ...site, origin: 'https://evil.example' },
    { ...site, rpId: 'evil.example' },
  ])
    expect(challenges.read(challenge, other)).toBeUndefined()
  clock.nowMs += 299_999
  expect(challenges.read(challenge, site)).toBeDefined()
  clock.nowMs += 1
  expect(challenges.read(challenge, site)).toBeUndefined()
})

test('only what was made here is good, and in one spelling', () => {
  const { challenges, now } = openWorld()
  const challenge = challenges.make(site)
  const elsewhere = createStatelessChallenges({ secrets: [new Secret('another')], now })
  const bytes = Buffer.from(challenge, 'base64url')
  for (let place = 0; place < bytes.length; place += 1) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(challenges.read(changed.toString('base64url'), site)).toBeUndefined()
  }
  for (const wrong of [
    elsewhere.make(site),
    `${challenge}=`,
    `${challenge} `,
    challenge.slice(1),
    '',
    'é',
  ])
    expect(challenges.read(wrong, site)).toBeUndefined()
})

test('what was made with the secret before is good as well', () => {
  const { challenges, now } = openWorld()
  const before = createStatelessChallenges({ secrets: [former], now })

  expect(challenges.read(before.make(site), site)).toBeDefined()
})
