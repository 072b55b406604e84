import { expect, test } from 'bun:test'

import type { BackupTarget, PieceSource } from './backup-target.ts'

/** What every BackupTarget must do. The test of each adapter calls this once. */
export function backupTargetContract(
  name: string,
  open: () => Promise<{ readonly target: BackupTarget } & Partial<AsyncDisposable>>,
): void {
  const contract = (what: string, run: (target: BackupTarget) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const opened = await open()
      try {
        await run(opened.target)
      } finally {
        await opened[Symbol.asyncDispose]?.()
      }
    })

  contract(
    'bytes come back as they were given, and newer ones take their place',
    async (target) => {
      for (const size of [0, 5, 9_000_000]) {
        const bytes = new Uint8Array(size).map((_, index) => index % 251)
        await target.put('pieces/ab/abc', sourceOf(bytes))
        const opened = await target.open('pieces/ab/abc')
        expect(opened?.sizeBytes).toBe(size)
        const read = Buffer.concat(await Array.fromAsync(opened?.body ?? []))
        expect(read.equals(Buffer.from(bytes))).toBe(true)
      }
      expect(await target.open('pieces/ab/abd')).toBeUndefined()
    },
  )

  contract('what begins so is listed, and goes when it is removed', async (target) => {
    for (const each of ['pieces/ab/abc', 'pieces/cd/cde', 'manifests/one.json'])
      await target.put(each, sourceOf(new Uint8Array(3)))
    const names = async (start: string) =>
      (await Array.fromAsync(target.list(start), (each) => each.name)).toSorted()
    expect(await names('pieces/')).toEqual(['pieces/ab/abc', 'pieces/cd/cde'])
    expect(await names('manifests/')).toEqual(['manifests/one.json'])
    expect(await names('checks/')).toEqual([])
    await target.remove('pieces/ab/abc')
    await target.remove('pieces/ab/abc')
    expect(await names('pieces/')).toEqual(['pieces/cd/cde'])
  })

  contract('of what fails on its way in there is nothing', async (target) => {
    const broken: PieceSource = {
      ...sourceOf(new Uint8Array(9_000_000)),
      async bytes(start, end) {
        if (end === 9_000_000) throw new Error('the disk is gone')
        return new Uint8Array(end - start)
      },
    }
    expect(await target.put('pieces/ab/abc', broken).catch(() => 'failed')).toBe('failed')
    await target.clear()
    expect(await target.open('pieces/ab/abc')).toBeUndefined()
    expect(await Array.fromAsync(target.list('pieces/'))).toEqual([])
  })
}

const sourceOf = (bytes: Uint8Array<ArrayBuffer>): PieceSource => ({
  sizeBytes: bytes.length,
  sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
  bytes: async (start, end) => bytes.slice(start, end),
})
