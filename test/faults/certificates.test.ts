import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'bun:test'

import { DiskCertificateStore } from '../../src/adapters/disk/disk-certificate-store.ts'
import { have, mountableTmpfs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const certificateOf = (hostname: string, text: string) => ({
  hostname,
  chain: text.repeat(8_192),
  key: 'key',
  validFrom: new Date(0),
  validUntil: new Date(1),
})

test.skipIf(!have('certificates on a full disk', mountableTmpfs))(
  'on a full disk the former certificate stays whole, nothing half-written is left, and later ones are kept',
  async () => {
    await using directory = await temporaryDirectory()
    const disk = join(directory.path, 'disk')
    await mkdir(disk)
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', disk])
    await using stack = new AsyncDisposableStack()
    stack.defer(() => void spawnSync('umount', ['-l', disk]))
    const unreadable: string[] = []
    const store = await DiskCertificateStore.open({
      directory: join(disk, 'certificates'),
      onUnreadable: (file) => unreadable.push(file),
    })
    const former = certificateOf('a.example', 'former')
    await store.put(former)
    const filling = join(disk, 'filling')
    await writeFile(filling, Buffer.alloc(256 * 1024)).catch(() => undefined)

    for (const hostname of ['a.example', 'b.example'])
      expect(store.put(certificateOf(hostname, 'newer'))).rejects.toThrow('ENOSPC')
    await store.put(certificateOf('c.example', 'newer')).catch(() => undefined)
    expect(await readdir(join(disk, 'certificates'))).toEqual(['a.example.json'])
    expect(await store.list()).toEqual([former])
    await rm(filling)
    await store.put(certificateOf('a.example', 'newer'))
    expect(await store.list()).toEqual([certificateOf('a.example', 'newer')])
    expect(unreadable).toEqual([])
  },
)
