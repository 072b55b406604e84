import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  acknowledgedBy,
  createClients,
  createZones,
  fsck,
  verify,
  work,
} from '../support/ledger-clients.ts'
import { have, type Need, strace } from '../support/needs.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

/** How many, or what `npm run crash -- --io-errors` says. */
const errors = Number(process.env['SEDGE_IO_ERRORS'] ?? 3)
const calls = ['fsync', 'fdatasync', 'pwrite64', 'pread64', 'rename', 'link', 'unlink', 'ftruncate']
const workMs = 1_500

const mayTrace: Need = {
  what: 'the right to trace a process that runs',
  howToGetIt: 'run as root on Linux',
  isThere: () => process.getuid?.() === 0,
}

/** From some call of each thread on, one of them or all that follow fail as on a broken disk. */
async function breakDisk(pid: number, call: string, when: string) {
  const tracer = Bun.spawn(
    [
      'strace',
      '--follow-forks',
      '-qq',
      '--signal=none',
      '--output=/dev/null',
      `--trace=${call}`,
      `--inject=${call}:error=EIO:when=${when}`,
      `--attach=${pid}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await until(async () => !/^TracerPid:\t0$/mu.test(await readFile(`/proc/${pid}/status`, 'utf8')))
  return tracer
}

test.skipIf(!have('failing disks', strace, mayTrace))(
  `${errors} errors of a disk at random calls lose nothing that was acknowledged`,
  async () => {
    const random = createRandom(seedOf('errors of a disk'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const clients = createClients(3, random)
    for (let count = 0; count < errors; count += 1) {
      const service = await startService({ dataDirectory, environment: { LOG_LEVEL: 'silent' } })
      if (count === 0) await createZones(clients, service.url)
      await verify(clients, service)
      expect(fsck(dataDirectory)).toBe('')
      const call = calls[count % calls.length] ?? 'fsync'
      const when = `${random.integer(1, 20)}${random.pick(['', '+'])}`
      const tracer = await breakDisk(service.pid, call, when)
      // A service that ends meanwhile has taken in nothing it could not keep.
      const working = Promise.all(clients.map((client) => work(client, service.url)))
      await Promise.race([working, Bun.sleep(workMs)])
      await service.kill()
      tracer.kill('SIGINT')
      await tracer.exited
      await working
    }
    await using service = await startService({ dataDirectory })
    await verify(clients, service)
    expect(fsck(dataDirectory)).toBe('')
    console.log(
      `${errors} errors of a disk, ${acknowledgedBy(clients)} acknowledged writes, none lost`,
    )
    expect(acknowledgedBy(clients)).toBeGreaterThan(0)
  },
  errors * 30_000 + 60_000,
)
