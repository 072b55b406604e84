import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../../adapters/memory/content/memory-blob-store.ts'
import { MemoryContentStore } from '../../../adapters/memory/repository/memory-content-store.ts'
import type { ContentStore, Put } from '../../../ports/content/content-store.ts'
import { createPastFiles } from './past-files.ts'

const path = 'acme/v1/icons/a.svg'

async function world() {
  const blobs = new MemoryBlobStore()
  const store = new MemoryContentStore({ blobs })
  const questions: string[] = []
  const content: Pick<ContentStore, 'at' | 'declaredType'> = {
    at: async (id) => {
      questions.push(id)
      return await store.at(id)
    },
    declaredType: (id, file) => store.declaredType(id, file),
  }
  async function put(text: string, contentType?: string): Promise<string> {
    await using incoming = await blobs.receive(new TextEncoder().encode(text))
    const blob = await incoming.keep()
    const change: Put = {
      kind: 'put',
      path: `clients/${path}`,
      blob,
      ...(contentType && { contentType }),
    }
    return (await store.commit(request, async () => [change]))?.id ?? ''
  }
  const remove = async () =>
    (await store.commit(request, async () => [{ kind: 'delete', path: `clients/${path}` }]))?.id ??
    ''
  return { files: createPastFiles({ content }), questions, put, remove }
}

const request = { subject: 'change', author: 'someone' }
const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

test('a file is what the commit has, with the media type that held then', async () => {
  const { files, put, remove } = await world()
  const ids = [
    await put('one'),
    await put('two!', 'image/x-odd'),
    await remove(),
    await put('three'),
  ]
  const [first = '', second = '', third = '', fourth = ''] = ids

  expect(await files.at(first, path)).toEqual({
    path: path as never,
    commitId: first,
    sha256: sha256('one'),
    sizeBytes: 3,
    contentType: 'image/svg+xml',
  })
  expect(await files.at(second, path)).toMatchObject({
    sha256: sha256('two!'),
    contentType: 'image/x-odd',
  })
  expect(await files.at(third, path)).toBeUndefined()
  expect(await files.at(fourth, path)).toMatchObject({ sha256: sha256('three') })
  expect(await files.at('f'.repeat(40), path)).toBeUndefined()
  expect(await files.at(first, '../etc/passwd')).toBeUndefined()
  expect(await files.at(first, 'acme/v1/icons')).toBeUndefined()
})

test('the repository is asked once of what a commit has, and of what it has not', async () => {
  const { files, questions, put } = await world()
  const id = await put('one')

  await Promise.all([files.at(id, path), files.at(id, path)])
  await files.at(id, path)
  expect(questions).toHaveLength(1)
  await files.at(id, 'acme/v1/other.svg')
  await files.at(id, 'acme/v1/other.svg')
  expect(questions).toHaveLength(2)
  await files.at('e'.repeat(40), path)
  await files.at('e'.repeat(40), path)
  expect(questions).toHaveLength(4)
})

test('bytes that were found are had from the repository again', async () => {
  const { files, put } = await world()
  const id = await put('one')

  expect(await files.source(sha256('one'))).toBeUndefined()
  await files.at(id, path)
  expect(await (await files.source(sha256('one')))?.blob()).toEqual({
    sha256: sha256('one'),
    sizeBytes: 3,
  })
})
