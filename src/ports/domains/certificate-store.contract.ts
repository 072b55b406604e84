import { expect, test } from 'bun:test'

import type { CertificateStore, StoredCertificate } from './certificate-store.ts'

const certificateOf = (hostname: string, text = hostname): StoredCertificate => ({
  hostname,
  chain: `chain of ${text}\n`,
  key: `key of ${text}\n`,
  validFrom: new Date('2026-01-01T00:00:00Z'),
  validUntil: new Date('2026-04-01T00:00:00Z'),
})

/** The longest name there is (RFC 1035 §2.3.4). */
const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`

/** What every CertificateStore must do. The test of each adapter calls this once. */
export function certificateStoreContract(
  name: string,
  open: () => Promise<AsyncDisposable & { readonly store: CertificateStore }>,
): void {
  test(`${name}: certificates are listed by host name as they were given`, async () => {
    await using opened = await open()
    const { store } = opened
    expect(await store.list()).toEqual([])
    const certificates = ['a.example', longest, 'xn--4ca.example'].map((each) =>
      certificateOf(each),
    )
    for (const certificate of certificates.toReversed()) await store.put(certificate)

    expect(await store.list()).toEqual(certificates)
  })

  test(`${name}: a certificate takes the place of the former one, key and all`, async () => {
    await using opened = await open()
    const { store } = opened
    await store.put(certificateOf('a.example', 'first'))
    await store.put(certificateOf('a.example', 'second'))

    expect(await store.list()).toEqual([certificateOf('a.example', 'second')])
  })

  test(`${name}: a removed certificate is gone, and removing it again is no failure`, async () => {
    await using opened = await open()
    const { store } = opened
    await store.put(certificateOf('a.example'))
    await store.put(certificateOf('b.example'))
    await store.remove('a.example')
    await store.remove('a.example')

    expect(await store.list()).toEqual([certificateOf('b.example')])
  })

  test(`${name}: the key of the account is kept apart from the certificates`, async () => {
    await using opened = await open()
    const { store } = opened
    expect(await store.accountKey()).toBeUndefined()
    await store.keepAccountKey('first')
    await store.keepAccountKey('second')

    expect(await store.accountKey()).toBe('second')
    expect(await store.list()).toEqual([])
  })
}
