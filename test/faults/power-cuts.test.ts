import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { fsck, verify } from '../support/ledger-clients.ts'
import { openLocalService } from '../support/local-service.ts'
import { have, strace } from '../support/needs.ts'
import { createJourney, type Journey } from '../support/power-cut/cut-journey.ts'
import {
  type Cut,
  type CutState,
  prefixStates,
  scatteredState,
} from '../support/power-cut/cut-states.ts'
import { diskAfter, filesByPath } from '../support/power-cut/disk.ts'
import { digestOf, layOut, readDisk } from '../support/power-cut/laid-out.ts'
import { type Recording, recordService } from '../support/power-cut/recorded-service.ts'
import { createRandom, type Random, seedOf } from '../support/random.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'

/** How many, or what `npm run crash -- --power-cuts` says. */
const cuts = Number(process.env['SEDGE_POWER_CUTS'] ?? 1)
const roundsEach = Math.max(8, Math.ceil(cuts / 2))
const scatteredEach = 4
const clientCount = 2
/** How long a disk may have kept what it was not told to flush. */
const windowMs = cuts === 1 ? 200 : 1_000

test.skipIf(!have('power cuts', strace))(
  `${cuts} power cuts lose nothing that was acknowledged, whatever is on the disk of what was not flushed`,
  async () => {
    const random = createRandom(seedOf('power cuts'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const journey = createJourney(clientCount, random)
    {
      await using service = await startService({ dataDirectory })
      await journey.prepare(service.url)
    }
    const recording = await recordService(
      { dataDirectory, file: join(directory.path, 'trace') },
      (url) => journey.work(url, roundsEach),
    )
    // What was not recorded could not be lost: the record has to lead to what is really there.
    const there = await readDisk(dataDirectory)
    const real = filesByPath(there, (node) => there.directories.has(node))
    expect(digestOf(filesAfter(recording, () => 'whole'))).toBe(digestOf(real))

    const seen = new Set<string>()
    for (let count = 0; count < cuts; count += 1) {
      const { cut, at } = chooseCut(recording, journey, random)
      const scattered = Array.from({ length: scatteredEach }, () =>
        scatteredState(recording, cut, random),
      )
      for (const state of [...prefixStates(recording, cut), ...scattered]) {
        const files = filesAfter(recording, state)
        const key = `${digestOf(files)} ${at}`
        if (seen.has(key)) continue
        seen.add(key)
        await check(join(directory.path, 'cut'), files, journey.clientsAt(at))
      }
      if (cuts > 1) console.log(`${count + 1} of ${cuts} power cuts, ${seen.size} different disks`)
    }

    // Had nothing been flushed, this would be seen.
    const last = journey.answeredAt.at(-1) ?? 0
    const flushless = { operations: recording.operations, flushes: [] }
    const [lost = (): 'none' => 'none'] = prefixStates(flushless, {
      line: recording.lineAt(last),
      since: 0,
    })
    const verified = check(
      join(directory.path, 'lost'),
      filesAfter(recording, lost),
      journey.clientsAt(last),
    )
    await expect(verified).rejects.toThrow()

    const acknowledged = journey.answeredAt.length
    console.log(
      `${cuts} power cuts, ${seen.size} different disks, ${acknowledged} acknowledged writes, none lost`,
    )
    expect(seen.size).toBeGreaterThan(cuts)
  },
  cuts * 300_000 + 60_000,
)

const filesAfter = (recording: Recording, state: CutState) =>
  filesByPath(diskAfter(recording.before, recording.operations, state), (node) =>
    recording.isDirectory(node),
  )

/** At the moment of a response, when what it promises has to be true, or at any other. */
function chooseCut(recording: Recording, { answeredAt }: Journey, random: Random) {
  const first = answeredAt[0] ?? 0
  const last = answeredAt.at(-1) ?? 0
  const at =
    random.integer(0, 2) > 0
      ? (answeredAt[random.integer(0, answeredAt.length - 1)] ?? first)
      : first + random.next() * (last - first)
  const cut: Cut = { line: recording.lineAt(at), since: recording.lineAt(at - windowMs) }
  return { cut, at }
}

/** Starts a service on a disk, and compares what it shows with the ledgers. */
async function check(
  root: string,
  files: ReturnType<typeof filesAfter>,
  clients: ReturnType<Journey['clientsAt']>,
): Promise<void> {
  await layOut(root, files)
  {
    await using service = await openLocalService({
      dataDirectory: root,
      environment: { CHECK_RESPONSES: 'false', SEARCH_BY_NAME_ONLY: 'true' },
    })
    await verify(clients, service)
    expect(fsck(root)).toBe('')
  }
  await rm(root, { recursive: true })
}
