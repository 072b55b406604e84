import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  acknowledgedBy,
  createClients,
  createZones,
  fsck,
  verify,
  work,
} from '../support/ledger-clients.ts'
import { have, mountableTmpfs } from '../support/needs.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'

/** How often, or what `npm run crash -- --disk-full` says. */
const times = Number(process.env['SEDGE_FULL_DISKS'] ?? 3)
const leftBytes = 3_000_000
const workMs = 5_000

test.skipIf(!have('disks that fill up', mountableTmpfs))(
  `a disk that is full ${times} times, wherever writes are by then, loses nothing that was acknowledged`,
  async () => {
    const random = createRandom(seedOf('full disks'))
    await using directory = await temporaryDirectory()
    const disk = join(directory.path, 'disk')
    const filling = join(disk, 'filling')
    await mkdir(disk)
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'none', disk])
    await using stack = new AsyncDisposableStack()
    stack.defer(() => void spawnSync('umount', ['-l', disk]))
    const dataDirectory = join(disk, 'data')
    const clients = createClients(3, random)

    for (let count = 0; count < times; count += 1) {
      const service = await startService({ dataDirectory, environment: { LOG_LEVEL: 'silent' } })
      if (count === 0) await createZones(clients, service.url)
      await verify(clients, service)
      const { bavail, bsize } = await statfs(disk)
      const left = random.integer(0, leftBytes)
      await writeFile(filling, Buffer.alloc(Math.max(0, bavail * bsize - left))).catch(() => {})
      const working = Promise.all(clients.map((client) => work(client, service.url)))
      await Promise.race([working, Bun.sleep(workMs)])
      const isKilled = random.integer(0, 1) === 0
      if (isKilled) await service.kill()
      await rm(filling)
      if (!isKilled) await service.stop()
      await working
    }
    await using service = await startService({ dataDirectory })
    await verify(clients, service)
    expect(fsck(dataDirectory)).toBe('')
    console.log(`${times} full disks, ${acknowledgedBy(clients)} acknowledged writes, none lost`)
  },
  times * 30_000 + 60_000,
)
