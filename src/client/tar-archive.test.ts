import { expect, test } from 'bun:test'

import { readTar } from '../lib/bytes/read-tar.ts'
import { archiveOf, tarArchive } from './tar-archive.ts'

test('an archive is read as it was written, names of any length and checksums too', async () => {
  const names = ['a.svg', 'x'.repeat(100), 'y'.repeat(101), 'é'.repeat(60), `${'z/'.repeat(490)}z`]
  const files = names.map((path, place) => ({
    path,
    bytes: new Uint8Array(place * 511).fill(place),
    ...(place % 2 === 0 && { sha256: String(place).repeat(64) }),
  }))
  const stream = new Blob([...tarArchive(files)]).stream()
  const found = []
  for await (const { name, records, open } of readTar(stream, { maxWholeBytes: 10_000 })) {
    const bytes = await new Response(await open()).bytes()
    found.push({ path: name, bytes: bytes.length, sha256: records.get('SEDGE.sha256') })
  }
  expect(found).toEqual(
    files.map(({ path, bytes, sha256 }) => ({ path, bytes: bytes.length, sha256 })),
  )
})

test('files of one zone are named from there on, and others as they are', async () => {
  const file = (path: string) => ({ path, bytes: new Uint8Array(1) })
  const one = archiveOf([file('acme/v1/icons/a'), file('acme/v1/icons/b')])
  expect(one.directory).toBe('acme')
  const names: string[] = []
  for await (const entry of readTar(one.body.stream(), { maxWholeBytes: 10 }))
    names.push(entry.name)
  expect(names).toEqual(['v1/icons/a', 'v1/icons/b'])
  for (const paths of [['acme/v1/a', 'bolt/v1/a'], ['UPPER/v1/a'], ['a']])
    expect(archiveOf(paths.map(file)).directory).toBe('')
})
