import { expect, test } from 'bun:test'

import { EdgeOriginError } from '../../../ports/edges/edge-origin.ts'
import { ServiceError } from '../../errors.ts'
import { ownCertificates, passedOnCertificates, asOrigin } from './handed-out-certificates.ts'

const certificate = {
  hostname: 'a.example',
  chain: 'chain',
  key: 'very private',
  validFrom: new Date(0),
  validUntil: new Date(1),
}
const own = ownCertificates({
  all: () => [certificate],
  get: (hostname) => (hostname === certificate.hostname ? certificate : undefined),
})

test('an edge in between passes on which certificates there are, and that one is not there', async () => {
  const passedOn = passedOnCertificates(asOrigin(own))

  expect(await passedOn.digests()).toEqual(await own.digests())
  expect(await passedOn.find('b.example')).toBeUndefined()
})

for (const [what, answer] of [
  ['does not answer', () => Promise.reject(new EdgeOriginError('The origin does not answer'))],
  ['answers with nonsense', () => Promise.resolve('very private <html>')],
  ['answers with what is no certificate', () => asOrigin(own).certificate('a.example')],
] as const)
  test(`where its origin ${what} an edge in between has none just now, and says nothing of it`, async () => {
    const passedOn = passedOnCertificates({
      certificates: async () => (await answer()) ?? '',
      certificate: answer,
    })
    const error: unknown = await passedOn.find('a.example').catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ code: 'Unavailable' })
    expect(Bun.inspect(error)).not.toContain('very private')
  })
