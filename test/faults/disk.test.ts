import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { have, mountableTmpfs, strace } from '../support/needs.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const createZone = (url: string) =>
  fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body: '{"Name":"acme"}' })

const put = (url: string, name: string, body: string) =>
  fetch(`${url}/api/storage/acme/v1/logos/${name}`, { method: 'PUT', headers: access, body })

const read = async (url: string, name: string) => {
  const response = await fetch(`${url}/api/storage/acme/v1/logos/${name}`, { headers: access })
  return response.ok ? await response.text() : response.status
}

/** From the hundredth of a thread on, each flush fails. */
const failingFlush = [
  '-e',
  'trace=fsync,fdatasync',
  '-e',
  'inject=fsync,fdatasync:error=EIO:when=100+',
]

const isTmpfs = have('writing to a full disk', mountableTmpfs)
test.skipIf(!isTmpfs)(
  'a full disk refuses writes, loses nothing, and takes writes again once there is room',
  async () => {
    await using directory = await temporaryDirectory()
    const disk = join(directory.path, 'disk')
    await mkdir(disk)
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'none', disk])
    await using stack = new AsyncDisposableStack()
    stack.defer(() => void spawnSync('umount', ['-l', disk]))
    const service = stack.use(await startService({ dataDirectory: join(disk, 'data') }))
    await createZone(service.url)
    expect((await put(service.url, 'before.txt', 'before')).status).toBe(201)

    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=64k'])
    const refused = await put(service.url, 'during.txt', 'x'.repeat(200_000))
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({
      HttpCode: 503,
      error: { code: 'Unavailable', innererror: null },
    })
    expect(refused.headers.get('retry-after')).not.toBeNull()
    const overwritten = await put(service.url, 'before.txt', 'y'.repeat(200_000))
    expect(overwritten.status).toBe(503)
    expect(await read(service.url, 'before.txt')).toBe('before')
    expect(await read(service.url, 'during.txt')).toBe(404)
    expect((await fetch(`${service.url}/acme/v1/logos/before.txt`)).status).toBe(200)

    const upload = (name: string, body: string) =>
      fetch(`${service.url}/api/uploads?path=acme/v1/logos/${name}`, {
        method: 'POST',
        headers: access,
        body,
      })
    expect((await upload('staged.txt', 'z'.repeat(900_000))).status).toBe(503)
    expect(await read(service.url, 'staged.txt')).toBe(404)

    await rm(join(disk, 'filler'))
    expect((await upload('staged.txt', 'z'.repeat(900_000))).status).toBe(201)
    expect((await put(service.url, 'after.txt', 'after')).status).toBe(201)
    expect(await read(service.url, 'after.txt')).toBe('after')
    expect(await read(service.url, 'before.txt')).toBe('before')
  },
  60_000,
)

const isTraced = have('a failing fsync', strace)
for (const [where, only] of [
  ['of a stored file', undefined],
  ['of the database', 'sedge.db-wal'],
] as const)
  test.skipIf(!isTraced)(
    `a failed fsync ${where} ends the service, and what was acknowledged is there after the next start`,
    async () => {
      await using directory = await temporaryDirectory()
      const dataDirectory = join(directory.path, 'data')
      const pathOf = (file: string | undefined) => (file ? ['-P', join(dataDirectory, file)] : [])
      const acknowledged: string[] = []
      {
        await using service = await startService({
          dataDirectory,
          under: ['strace', '-f', '-qq', '-o', '/dev/null', ...pathOf(only), ...failingFlush],
        })
        await createZone(service.url)
        for (let count = 0; count < 500; count += 1) {
          const status = await put(service.url, `${count}.txt`, `${count}`).then(
            (response) => response.status,
            () => 0,
          )
          if (status !== 201) break
          acknowledged.push(`${count}.txt`)
        }
        expect(await service.exited).not.toBe(0)
      }
      expect(acknowledged.length).toBeGreaterThan(10)
      expect(acknowledged.length).toBeLessThan(500)

      await using service = await startService({ dataDirectory })
      const states = await Promise.all(acknowledged.map((name) => read(service.url, name)))
      expect(states).toEqual(acknowledged.map((name) => name.replace('.txt', '')))
      expect((await put(service.url, 'next.txt', 'next')).status).toBe(201)
    },
    120_000,
  )
