import { expect, test } from 'bun:test'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { temporaryDirectory } from '../../../test/support/service-process.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { createTextSealer } from '../../lib/secrets/text-sealer.ts'
import { certificateStoreContract } from '../../ports/domains/certificate-store.contract.ts'
import { DiskCertificateStore } from './disk-certificate-store.ts'

const sealerOf = (...secrets: [string, ...string[]]) => {
  const [first, ...rest] = secrets.map((text) => new Secret(text))
  if (first === undefined) throw new Error('a secret is needed')
  return createTextSealer([first, ...rest], 'certificates')
}
const certificate = {
  hostname: 'a.example',
  chain: 'public',
  key: 'very private',
  validFrom: new Date('2026-01-01T00:00:00Z'),
  validUntil: new Date('2026-04-01T00:00:00Z'),
}

async function inDirectory() {
  const directory = await temporaryDirectory()
  const unreadable: string[] = []
  return {
    path: join(directory.path, 'certificates'),
    unreadable,
    open: (sealer?: ReturnType<typeof sealerOf>) =>
      DiskCertificateStore.open({
        directory: join(directory.path, 'certificates'),
        sealer,
        onUnreadable: (file, why) => unreadable.push(`${file}: ${why}`),
      }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

for (const [name, sealer] of [
  ['disk', undefined] as const,
  ['disk, sealed', sealerOf('k')] as const,
])
  certificateStoreContract(name, async () => {
    const place = await inDirectory()
    return {
      store: await place.open(sealer),
      [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
    }
  })

test('nobody but the owner can read a file, and nothing half-written stays', async () => {
  await using place = await inDirectory()
  const store = await place.open()
  await store.put(certificate)
  await store.keepAccountKey('account')

  expect((await stat(place.path)).mode & 0o777).toBe(0o700)
  const files = await readdir(place.path)
  expect(files.toSorted()).toEqual(['a.example.json', 'account.json'])
  for (const file of files) expect((await stat(join(place.path, file))).mode & 0o777).toBe(0o600)
})

test('with a secret no key is readable in any file, those kept before included', async () => {
  await using place = await inDirectory()
  const plain = await place.open()
  await plain.put(certificate)
  await plain.keepAccountKey('very private too')
  const sealed = await place.open(sealerOf('secret'))

  for (const file of await readdir(place.path))
    expect(await readFile(join(place.path, file), 'utf8')).not.toContain('very private')
  expect(await sealed.list()).toEqual([certificate])
  expect(await sealed.accountKey()).toBe('very private too')
})

test('after a change of the secret the former one opens what is sealed anew then', async () => {
  await using place = await inDirectory()
  await (await place.open(sealerOf('old'))).put(certificate)
  await place.open(sealerOf('new', 'old'))

  expect(await (await place.open(sealerOf('new'))).list()).toEqual([certificate])
  expect(place.unreadable).toEqual([])
})

test('what cannot be opened or is damaged is left out and named', async () => {
  await using place = await inDirectory()
  await (await place.open(sealerOf('lost'))).put(certificate)
  await Bun.write(join(place.path, 'b.example.json'), '{"hostname":')
  const store = await place.open(sealerOf('another'))
  place.unreadable.length = 0

  expect(await store.list()).toEqual([])
  expect(place.unreadable.toSorted()).toEqual([
    'a.example.json: its key was encrypted with another SECRETS_KEY',
    'b.example.json: it is damaged',
  ])
})
