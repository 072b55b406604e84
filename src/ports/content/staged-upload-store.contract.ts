import { expect, test } from 'bun:test'

import type { StagedUploadRecord, StagedUploadStore } from './staged-upload-store.ts'

/** What every StagedUploadStore must do. The test of each adapter calls this once. */
export function stagedUploadStoreContract(
  name: string,
  open: () => Promise<StagedUploadStore & Partial<AsyncDisposable>>,
): void {
  const contract = (what: string, run: (store: StagedUploadStore) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const store = await open()
      try {
        await run(store)
      } finally {
        await store[Symbol.asyncDispose]?.()
      }
    })

  contract('a record comes back as it was given, and is replaced whole', async (store) => {
    const full = recordOf('full', {
      sizeBytes: 5,
      contentType: 'text/plain',
      expectedSha256: 'ab',
      condition: { is: ['cd'], isNot: 'anything' },
      grant: { id: 'grant', maxBytes: 5, types: ['image/png'] },
      clientMetadata: 'filename d29ybGQ=,"ü"',
      inParts: { completedAs: 'whole' },
      commit: { requestId: 'request', sha256: 'ab', sizeBytes: 5 },
      outcome: { kind: 'written', sha256: 'ab', sizeBytes: 5, outcome: 'created' },
    })
    await store.add(full)
    await store.add(recordOf('bare'))
    expect(await store.find('full')).toEqual(full)
    expect(await store.find('bare')).toEqual(recordOf('bare'))
    expect(await store.find('nobody')).toBeUndefined()

    await store.replace(recordOf('full', { expiresAt: at(99) }))
    expect(await store.find('full')).toEqual(recordOf('full', { expiresAt: at(99) }))
  })

  contract('a removed record stays removed, whoever replaces it later', async (store) => {
    await store.add(recordOf('a'))
    await store.remove('a')
    await store.remove('a')
    await store.replace(recordOf('a'))

    expect(await store.find('a')).toBeUndefined()
  })

  contract('what is open is counted by zone and by network', async (store) => {
    const outcome = { kind: 'written', sha256: 'ab', sizeBytes: 5, outcome: 'created' } as const
    await store.add(recordOf('a'))
    await store.add(recordOf('b', { network: '198.51.100.1' }))
    await store.add(recordOf('c', { zone: 'other' }))
    await store.add(recordOf('finished', { outcome }))
    await store.add(recordOf('expired', { expiresAt: at(1) }))

    expect(await store.countOpen({ zone: 'acme' }, at(2))).toBe(2)
    expect(await store.countOpen({ network: '192.0.2.1' }, at(2))).toBe(2)
    expect(await store.countOpen({ zone: 'nobody' }, at(2))).toBe(0)
    await store.replace(recordOf('a', { outcome }))
    expect(await store.countOpen({ zone: 'acme' }, at(2))).toBe(1)
  })

  contract(
    'what is open and arrives in parts is listed by path and id, in pages',
    async (store) => {
      const inParts = {}
      const pathOf = (file: string) => `acme/v1/${file}`
      for (const [id, file] of [
        ['4', 'ä'],
        ['2', 'a'],
        ['1', 'a/b'],
        ['3', 'a'],
        ['5', '\u{1f600}'],
        ['6', '\uffee'],
      ] as const)
        await store.add(recordOf(id, { path: pathOf(file), inParts }))
      await store.add(recordOf('in one', { path: pathOf('a') }))
      await store.add(recordOf('elsewhere', { zone: 'other', path: 'other/v1/a', inParts }))
      await store.add(recordOf('expired', { path: pathOf('a'), inParts, expiresAt: at(1) }))
      const outcome = { kind: 'written', sha256: 'ab', sizeBytes: 5, outcome: 'created' } as const
      await store.add(recordOf('done', { path: pathOf('a'), inParts }))
      await store.replace(recordOf('done', { path: pathOf('a'), inParts, outcome }))
      const ids = async (prefix: string, after?: { path: string; id: string }, limit = 10) => {
        const page = { zone: 'acme', prefix: pathOf(prefix), after, limit }
        return (await store.openInParts(page, at(1))).map(({ id }) => id)
      }

      expect(await ids('')).toEqual(['2', '3', '1', '4', '6', '5'])
      expect(await ids('a')).toEqual(['2', '3', '1'])
      expect(await ids('', undefined, 2)).toEqual(['2', '3'])
      expect(await ids('', { path: pathOf('a'), id: '2' }, 2)).toEqual(['3', '1'])
      expect(await ids('', { path: pathOf('a'), id: '3' })).toEqual(['1', '4', '6', '5'])
      expect(await ids('b')).toEqual([])
    },
  )

  contract('what expired before a moment comes oldest first, up to a limit', async (store) => {
    for (const hour of [3, 1, 2, 4]) await store.add(recordOf(`${hour}`, { expiresAt: at(hour) }))
    const idsBefore = async (hour: number, limit: number) =>
      (await store.expiredBefore(at(hour), limit)).map(({ id }) => id)

    expect(await idsBefore(4, 10)).toEqual(['1', '2', '3'])
    expect(await idsBefore(4, 2)).toEqual(['1', '2'])
  })
}

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000)

const recordOf = (id: string, given: Partial<StagedUploadRecord> = {}): StagedUploadRecord => ({
  id,
  zone: 'acme',
  zoneCommitId: 'c0ffee',
  path: 'acme/v1/a.txt',
  preview: undefined,
  sizeBytes: undefined,
  awaitsCompletion: false,
  contentType: undefined,
  expectedSha256: undefined,
  condition: undefined,
  grant: undefined,
  clientMetadata: undefined,
  inParts: undefined,
  credentialId: 'access-key',
  network: '192.0.2.1',
  createdAt: at(0),
  expiresAt: at(24),
  commit: undefined,
  outcome: undefined,
  ...given,
})
