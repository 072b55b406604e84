import { expect, test } from 'bun:test'

import { killsOf } from '../support/kills.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { sedge } from '../support/sedge-command.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const killCount = killsOf(3)
const fileBytes = 3_000_000

test(
  'a backup or a restore that is killed leaves nothing half, and what comes after goes on',
  async () => {
    await using directory = await temporaryDirectory()
    const [data, to] = [`${directory.path}/data`, `${directory.path}/backups`]
    const random = createRandom(seedOf('kills of backups'))
    const bytes = new Uint8Array(fileBytes).map(() => random.integer(0, 255))
    const slow = { BACKUP_TO: to, BACKUP_EVERY_HOURS: '0', BACKUP_MIB_PER_SECOND: '1' }
    for (let number = 0; number < killCount; number += 1) {
      await using service = await startService({ dataDirectory: data, environment: slow })
      const { client, zone, put } = furnishing(service)
      if (number === 0) await zone()
      await put(number, bytes)
      await client.createBackup()
      await Bun.sleep(random.integer(0, 1500))
      await service.kill()
      const listed = await sedge(['backup', 'list', '--to', to, '--json'], { DATA_DIR: data })
      expect(JSON.parse(listed.out)).toEqual([])
    }
    const quick = { ...slow, BACKUP_MIB_PER_SECOND: '1000' }
    {
      await using service = await startService({ dataDirectory: data, environment: quick })
      await worldOf(service).client.createBackup()
      const at = `${service.url}/api/core/backups`
      await until(async () => (await read(at)).Running === null)
      expect((await read(at)).LastEnded).toMatchObject({ Kind: 'backup', Error: null })
      await service.kill()
    }
    const restore = ['restore', '--from', to, '--data-dir', `${directory.path}/back`]
    for (let number = 0; number < killCount; number += 1) {
      const cut = await killedAfter(restore, random.integer(50, 900))
      if (cut === 0) break
    }
    const whole = await sedge(restore)
    expect(whole.exitCode === 0 || whole.error.includes('not empty')).toBe(true)
    await using service = await startService({ dataDirectory: `${directory.path}/back` })
    for (let number = 0; number < killCount; number += 1) {
      const got = await fetch(`${service.url}/acme/v1/${number}.bin`)
      const first = Buffer.from(await got.arrayBuffer())
      expect(first.equals(Buffer.from(bytes.with(0, number)))).toBe(true)
    }
  },
  60_000 + killCount * 20_000,
)

function furnishing(service: { readonly url: string }) {
  const world = worldOf(service)
  return {
    client: world.client,
    zone: () => world.zone('acme'),
    put: (number: number, bytes: Uint8Array<ArrayBuffer>) =>
      world.put(`acme/v1/${number}.bin`, bytes.with(0, number)),
  }
}

const read = async (at: string) =>
  (await (await fetch(at, { headers: account })).json()) as {
    readonly Running: object | null
    readonly LastEnded: object | null
  }

/** The exit code of a command that has so long to end by itself. */
async function killedAfter(words: readonly string[], milliseconds: number): Promise<number | null> {
  const cli = `${import.meta.dir}/../../src/cli/main.ts`
  const child = Bun.spawn([process.execPath, cli, ...words], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  await child.exited
  clearTimeout(timer)
  return child.exitCode
}
