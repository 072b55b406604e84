import { expect, test } from 'bun:test'
import fc from 'fast-check'

import {
  type ResponseParts,
  createSoftwareAuthenticator,
} from '../../../../test/support/software-authenticator.ts'
import { MemoryAuditLog } from '../../../adapters/memory/content/memory-audit-log.ts'
import { MemoryDatabase } from '../../../adapters/memory/content/memory-database.ts'
import { MemoryPasskeyStore } from '../../../adapters/memory/access/memory-passkey-store.ts'
import { WebauthnPasskeyVerifier } from '../../../adapters/webauthn/webauthn-passkey-verifier.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { ServiceError } from '../../errors.ts'
import { ownerHandle } from './passkey-options.ts'
import { createPasskeys } from './passkeys.ts'

const site = { origin: 'https://cdn.example', rpId: 'cdn.example' }
const operator = {
  credentialId: 'account-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: undefined,
  requestId: 'r1',
}

async function openWorld({ hasOtherWayIn = true } = {}) {
  const database = new MemoryDatabase()
  const clock = { now: new Date('2026-04-01T12:00:00Z'), mayComeIn: true }
  const passkeys = createPasskeys({
    store: new MemoryPasskeyStore(database),
    verifier: new WebauthnPasskeyVerifier(),
    hasOtherWayIn,
    findOwner: () => undefined,
    mayComeIn: () => clock.mayComeIn,
    secrets: [new Secret('a session secret of some length')],
    now: () => clock.now,
  })
  const authenticator = createSoftwareAuthenticator()
  const register = async (
    given: Partial<ResponseParts> = {},
    { by = operator, with: device = authenticator } = {},
  ) => {
    const { challenge } = await passkeys.beginRegistration(site, operator)
    const response = device.register({ challenge, ...site, ...given })
    return await passkeys.completeRegistration({ response, name: 'laptop' }, by)
  }
  const responseTo = async (given: Partial<ResponseParts> = {}) => {
    const { challenge } = passkeys.beginAuthentication(site)
    return authenticator.authenticate({ challenge, ...site, ...given })
  }
  const signIn = async (given: Partial<ResponseParts> = {}) =>
    await outcomeOf(passkeys.completeAuthentication(await responseTo(given), site))
  return {
    passkeys,
    authenticator,
    clock,
    register,
    answerTo: responseTo,
    signIn,
    actions: async () =>
      (await new MemoryAuditLog(database).query({ since: new Date(0), limit: 99 })).map(
        ({ action }) => action,
      ),
  }
}

const outcomeOf = async (promise: Promise<unknown>): Promise<string> =>
  await promise.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )

test('a registered passkey signs in, again and again', async () => {
  const { register, signIn, passkeys, authenticator } = await openWorld()
  expect(await register()).toMatchObject({ id: authenticator.id, name: 'laptop', rpId: site.rpId })
  for (let count = 0; count < 3; count += 1)
    expect(await signIn({ userHandle: ownerHandle(site.rpId, undefined) })).toBe('done')
  expect(await passkeys.list(operator)).toMatchObject([{ counter: 3, transports: ['internal'] }])
})

test('the options ask for a verified person and a passkey that is not there yet', async () => {
  const { register, passkeys, authenticator } = await openWorld()
  await register()
  const creation = await passkeys.beginRegistration(site, operator)
  expect(creation).toMatchObject({
    rp: { id: 'cdn.example' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ id: authenticator.id, type: 'public-key', transports: ['internal'] }],
  })
  const elsewhere = { origin: 'https://other.example', rpId: 'other.example' }
  expect((await passkeys.beginRegistration(elsewhere, operator)).excludeCredentials).toEqual([])
  const request = passkeys.beginAuthentication(site)
  expect(request).toMatchObject({ userVerification: 'required', allowCredentials: [] })
  expect(Buffer.from(request.challenge, 'base64url')).toHaveLength(32)
  expect(request.challenge).not.toBe(creation.challenge)
})

const wrongParts: Readonly<Record<string, Partial<ResponseParts>>> = {
  'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
  'another origin': { origin: 'https://evil.example' },
  'the origin without encryption': { origin: 'http://cdn.example' },
  'the origin with a port': { origin: 'https://cdn.example:8443' },
  'another host name to be good for': { rpId: 'evil.example' },
  'another type': { type: 'webauthn.other' },
  'a page of ours in the frame of another': { crossOrigin: true },
  'a person who was not there': { userPresent: false },
  'a person who did not prove who they are': { userVerified: false },
  'the id of another credential': { id: createSoftwareAuthenticator().id },
}

for (const [what, parts] of Object.entries(wrongParts)) {
  test(`no registration with ${what}`, async () => {
    const { register, passkeys } = await openWorld()
    expect(await outcomeOf(register(parts))).toBe('InvalidParameter')
    expect(await passkeys.list(operator)).toEqual([])
  })

  test(`no sign-in with ${what}`, async () => {
    const { register, signIn } = await openWorld()
    await register()
    expect(await signIn(parts)).toBe('Unauthorized')
    expect(await signIn()).toBe('done')
  })
}

test('a response of one kind is none of the other', async () => {
  const { register, answerTo: responseTo, passkeys, authenticator } = await openWorld()
  await register()
  const { challenge } = await passkeys.beginRegistration(site, operator)
  const wrongPurpose = authenticator.authenticate({ challenge, ...site })
  expect(await outcomeOf(passkeys.completeAuthentication(wrongPurpose, site))).toBe('Unauthorized')
  const wrongType = await responseTo({ type: 'webauthn.create' })
  expect(await outcomeOf(passkeys.completeAuthentication(wrongType, site))).toBe('Unauthorized')
  const response = await responseTo()
  expect(await outcomeOf(passkeys.completeRegistration({ response, name: '' }, operator))).toBe(
    'InvalidParameter',
  )
})

test('a response counts once, also when it comes twice at the same time', async () => {
  const { register, answerTo: responseTo, passkeys } = await openWorld()
  await register()
  const response = await responseTo()
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => outcomeOf(passkeys.completeAuthentication(response, site))),
  )
  expect(outcomes.toSorted()).toEqual([
    'Unauthorized',
    'Unauthorized',
    'Unauthorized',
    'Unauthorized',
    'done',
  ])
})

test('a wrong answer uses the challenge up', async () => {
  const { register, answerTo: responseTo, passkeys } = await openWorld()
  await register()
  const response = await responseTo()
  const forged = { ...response, response: { ...response.response, signature: 'AAAA' } }
  expect(await outcomeOf(passkeys.completeAuthentication(forged, site))).toBe('Unauthorized')
  expect(await outcomeOf(passkeys.completeAuthentication(response, site))).toBe('Unauthorized')
})

test('a challenge is good for five minutes', async () => {
  const { register, answerTo: responseTo, passkeys, clock } = await openWorld()
  await register()
  const [inTime, late] = [await responseTo(), await responseTo()]
  clock.now = new Date(clock.now.getTime() + 299_999)
  expect(await outcomeOf(passkeys.completeAuthentication(inTime, site))).toBe('done')
  clock.now = new Date(clock.now.getTime() + 1)
  expect(await outcomeOf(passkeys.completeAuthentication(late, site))).toBe('Unauthorized')
})

test('a registration is completed by whoever began it', async () => {
  const { register } = await openWorld()
  const other = { ...operator, credentialId: 'session:other' }
  expect(await outcomeOf(register({}, { by: other }))).toBe('InvalidParameter')
})

test('a counter that does not grow is a copy: no sign-in', async () => {
  const { register, signIn } = await openWorld()
  await register({ counter: 5 })
  for (const counter of [5, 4, 0]) expect(await signIn({ counter })).toBe('Unauthorized')
  expect(await signIn({ counter: 6 })).toBe('done')
  expect(await signIn({ counter: 6 })).toBe('Unauthorized')
})

test('an authenticator that never counts can sign in again', async () => {
  const { register, signIn } = await openWorld()
  await register({ counter: 0 })
  for (let count = 0; count < 3; count += 1) expect(await signIn({ counter: 0 })).toBe('done')
})

test('a response for another user, by another key or changed afterwards is refused', async () => {
  const { register, signIn, answerTo: responseTo, passkeys, authenticator } = await openWorld()
  await register()
  expect(await signIn({ userHandle: 'c29tZWJvZHkgZWxzZQ' })).toBe('Unauthorized')
  const { challenge } = passkeys.beginAuthentication(site)
  const byOther = createSoftwareAuthenticator().authenticate({
    challenge,
    ...site,
    id: authenticator.id,
  })
  expect(await outcomeOf(passkeys.completeAuthentication(byOther, site))).toBe('Unauthorized')
  for (const field of ['signature', 'authenticatorData', 'clientDataJSON']) {
    const response = await responseTo()
    const bytes = Buffer.from(String(response.response[field]), 'base64url')
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1
    response.response[field] = bytes.toString('base64url')
    expect(await outcomeOf(passkeys.completeAuthentication(response, site))).toBe('Unauthorized')
  }
})

test('a passkey is registered once', async () => {
  const { register } = await openWorld()
  await register()
  expect(await outcomeOf(register())).toBe('InvalidParameter')
})

test('whatever else is sent is refused and breaks nothing', async () => {
  const { register, answerTo: responseTo, passkeys } = await openWorld()
  await register()
  await fc.assert(
    fc.asyncProperty(
      fc.anything(),
      fc.constantFrom('id', 'rawId', 'type', 'response'),
      async (junk, member) => {
        const response = { ...(await responseTo()), [member]: junk }
        for (const given of [junk, response, { ...response, response: { clientDataJSON: junk } }]) {
          expect(await outcomeOf(passkeys.completeAuthentication(given, site))).toBe('Unauthorized')
          expect(
            await outcomeOf(
              passkeys.completeRegistration({ response: given, name: 'x' }, operator),
            ),
          ).toBe('InvalidParameter')
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('an attestation with certificates is not looked at: they name URLs to fetch from', async () => {
  const { passkeys, authenticator } = await openWorld()
  const { challenge } = await passkeys.beginRegistration(site, operator)
  const response = authenticator.register({ challenge, ...site })
  const plain = Buffer.from(String(response.response['attestationObject']), 'base64url')
  const noneAt = plain.indexOf('none')
  for (const format of ['tpm_', 'appl']) {
    plain.write(format, noneAt)
    response.response['attestationObject'] = plain.toString('base64url')
    expect(
      await new WebauthnPasskeyVerifier().registration(response, { challenge, ...site }),
    ).toBeUndefined()
  }
})

test('with a password every passkey can be removed; without one the last stays', async () => {
  const free = await openWorld()
  await free.register()
  await free.passkeys.remove(free.authenticator.id, operator)
  expect(await free.passkeys.list(operator)).toEqual([])
  expect(await outcomeOf(free.passkeys.remove(free.authenticator.id, operator))).toBe('NotFound')
  expect(await free.actions()).toEqual(['passkey.remove', 'passkey.add'])

  const bound = await openWorld({ hasOtherWayIn: false })
  await bound.register()
  expect(await outcomeOf(bound.passkeys.remove(bound.authenticator.id, operator))).toBe('Forbidden')
  await bound.register({}, { with: createSoftwareAuthenticator() })
  expect(await outcomeOf(bound.passkeys.remove(bound.authenticator.id, operator))).toBe('done')
})

test('however many challenges strangers ask for, an operator’s own stays good', async () => {
  const { register, answerTo: responseTo, passkeys } = await openWorld()
  await register()
  const { challenge } = await passkeys.beginRegistration(site, operator)
  const mine = await responseTo()
  for (let count = 0; count < 2_000; count += 1) passkeys.beginAuthentication(site)

  expect(await outcomeOf(passkeys.completeAuthentication(mine, site))).toBe('done')
  const response = createSoftwareAuthenticator().register({ challenge, ...site })
  expect(await outcomeOf(passkeys.completeRegistration({ response, name: 'b' }, operator))).toBe(
    'done',
  )
})

test('a passkey of a person is bound to that person, and ends with what lets the person in', async () => {
  const { passkeys, authenticator, signIn, clock } = await openWorld()
  const ana = {
    ...operator,
    credentialId: 'person:ana',
    zones: new Set<string>(),
    personId: 'ana',
  }
  const { challenge, user } = await passkeys.beginRegistration(site, ana)
  expect(user.id).not.toBe((await passkeys.beginRegistration(site, operator)).user.id)
  const response = authenticator.register({ challenge, ...site })
  const made = await passkeys.completeRegistration({ response, name: 'phone' }, ana)

  expect(made.personId).toBe('ana')
  expect(await passkeys.list(ana)).toHaveLength(1)
  expect(await passkeys.list({ ...ana, personId: 'bo' })).toEqual([])
  clock.mayComeIn = false
  expect(await signIn()).toBe('Unauthorized')
})
