import { expect, test } from 'bun:test'

import type { BackupSource, SourceFile } from '../../ports/backups/backup-source.ts'
import { collectPieces } from './collect-pieces.ts'
import { listManifestNames, pieceOf, piecesOf, removeBackup } from './kept-backups.ts'
import { memoryBackupTarget } from './memory-backup-target.fixture.ts'
import { findBackup } from './restore-files.ts'
import { takeBackup } from './take-backup.ts'
import { takeTurnAt } from './target-turn.ts'
import { verifyBackup } from './verify-backup.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const pace = { take: async () => {} }
const everyBackup = { newest: 100, days: 0, weeks: 0 }

/** A repository of these packs, each read once more than it can be where it is among `vanishing`. */
function sourceOf(packs: Map<string, string>, opened: string[] = []): BackupSource {
  return {
    references: async () => new Map(),
    async exportRows(keep) {
      const pieces = [await keep(bytesOf('rows'))]
      const tables = [{ name: 'zones', columns: ['name'], rowCount: 1, pieces }]
      return { migration: '001', commitId: 'c1', feedSeq: 7, tables }
    },
    async repository() {
      const files = [...packs].map(([name, text]): SourceFile => ({
        path: `repository.git/objects/pack/${name}`,
        sizeBytes: text.length,
        isImmutable: true,
        location: name,
      }))
      return { small: new Map([['repository.git/HEAD', bytesOf('ref: refs/heads/main')]]), files }
    },
    async *largeBlobs() {
      yield { sha256: pieceOf(bytesOf('large')).sha256, sizeBytes: 5 }
      yield { sha256: '0'.repeat(64), sizeBytes: 5 }
    },
    openBlob: async ({ sha256 }) =>
      sha256.startsWith('000') ? undefined : pieceOf(bytesOf('large')),
    secretFiles: async () => new Map(),
    async openFile({ location }) {
      opened.push(location)
      const text = packs.get(location)
      if (text === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' })
      return pieceOf(bytesOf(text))
    },
  }
}

let hours = 0
const take = (target: ReturnType<typeof memoryBackupTarget>, source: BackupSource) =>
  takeBackup({
    target,
    source,
    pace,
    progress: { onPhase: () => {}, onBytes: () => {} },
    version: '1.0.0',
    hasSecrets: false,
    now: () => new Date(Date.UTC(2026, 0, 1, (hours += 1))),
    random: () => '0a1b',
  })

test('what is there already is neither read nor written again, and what is lost is named', async () => {
  const target = memoryBackupTarget()
  const opened: string[] = []
  const packs = new Map([['pack-a', 'objects of a']])
  const first = await take(target, sourceOf(packs, opened))
  expect(first.missing).toEqual(['0'.repeat(64)])
  packs.set('pack-b', 'objects of b')
  const second = await take(target, sourceOf(packs, opened))

  expect(opened).toEqual(['pack-a', 'pack-b'])
  // The new pack and the list of files.
  expect(second.pieceCount - first.pieceCount).toBe(1)
  expect([first.commitId, first.feedSeq]).toEqual(['c1', 7])
})

test('packs that are joined while they are read are looked for again', async () => {
  const target = memoryBackupTarget()
  const packs = new Map([['pack-a', 'objects of a']])
  const source = sourceOf(packs)
  let isJoined = false
  const joining: BackupSource = {
    ...source,
    async openFile(file) {
      if (isJoined) return await source.openFile(file)
      isJoined = true
      packs.clear()
      packs.set('pack-ab', 'objects of both')
      return await source.openFile(file)
    },
  }
  const pieces = await piecesOf(target, await take(target, joining))

  expect(pieces.has(pieceOf(bytesOf('objects of both')).sha256)).toBe(true)
})

for (const [fault, onPut] of [
  ['forgets what it took', (name, bytes) => (name.startsWith('pieces/') ? undefined : bytes)],
  ['keeps other bytes', (_name, bytes) => bytes.toReversed()],
  ['keeps half', (_name, bytes) => bytes.slice(0, bytes.length / 2)],
  [
    'is full',
    (name, bytes) => {
      if (name.startsWith('manifests/')) throw new Error('ENOSPC')
      return bytes
    },
  ],
] as const satisfies readonly [string, ReturnType<typeof memoryBackupTarget>['onPut']][])
  test(`of a target that ${fault} there is no backup, and the next one is whole`, async () => {
    const target = memoryBackupTarget()
    const source = sourceOf(new Map([['pack-a', 'objects of a']]))
    const soundly = target.onPut
    target.onPut = onPut
    expect(await take(target, source).catch(() => 'failed')).toBe('failed')
    expect(await listManifestNames(target)).toEqual(new Map())

    target.onPut = soundly
    // What a broken off one left under a name that is right, with bytes that are not.
    await target.put(`pieces/ff/${'f'.repeat(64)}`, pieceOf(bytesOf('left')))
    const manifest = await take(target, source)
    await collectPieces(target, everyBackup)
    const check = await verifyBackup(manifest, { target, pace, now: () => new Date(0) })
    expect(check.faults).toEqual([])
    expect(target.files.has(`pieces/ff/${'f'.repeat(64)}`)).toBe(false)
  })

test('a piece that was found damaged is written anew by the next backup', async () => {
  const target = memoryBackupTarget()
  const source = sourceOf(new Map([['pack-a', 'objects of a']]))
  const first = await take(target, source)
  const { sha256 } = pieceOf(bytesOf('objects of a'))
  target.files.set(`pieces/${sha256.slice(0, 2)}/${sha256}`, bytesOf('objects of X'))
  const look = { target, pace, now: () => new Date(0) }
  expect((await verifyBackup(first, look)).faults).toEqual([sha256])

  expect((await verifyBackup(await take(target, source), look)).faults).toEqual([])
})

test('pieces go with the last backup that has them', async () => {
  const target = memoryBackupTarget()
  const packs = new Map([['pack-a', 'objects of a']])
  const first = await take(target, sourceOf(packs))
  packs.clear()
  const second = await take(target, sourceOf(packs))
  await collectPieces(target, { newest: 1, days: 0, weeks: 0 })
  const { sha256 } = pieceOf(bytesOf('objects of a'))

  expect([...(await listManifestNames(target)).keys()]).toEqual([second.id])
  expect([...target.files.keys()].filter((name) => name.endsWith(sha256))).toEqual([])
  expect(await removeBackup(target, first.id)).toBe(false)
})

test('a backup is found by its id, and by a time at or after which it was begun', async () => {
  const target = memoryBackupTarget()
  const first = await take(target, sourceOf(new Map()))
  const second = await take(target, sourceOf(new Map()))

  expect((await findBackup(target, first.id)).id).toBe(first.id)
  expect((await findBackup(target, first.startedAt)).id).toBe(first.id)
  expect((await findBackup(target, undefined)).id).toBe(second.id)
  expect(await findBackup(target, '2020-01-01').catch(String)).toContain('There is no backup')
  expect(await findBackup(target, 'yesterday').catch(String)).toContain('no time')
})

test('one writes at a time; who was killed is in nobody’s way', async () => {
  const target = memoryBackupTarget()
  const now = () => new Date(0)
  const at = (host: string, pid: number, later = now) =>
    takeTurnAt(target, { holder: { host, pid }, now: later, isRunning: (each) => each === 1 })
  await using _turn = await at('a', 1)

  expect(await at('a', 2).catch(String)).toContain('Another backup')
  expect(await at('b', 1).catch(String)).toContain('Another backup')
  await using _later = await at('b', 1, () => new Date(3_600_000))
})
