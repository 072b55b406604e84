import { parseArgs } from 'node:util'

import { createProgress } from '../../lib/progress.ts'
import type { Examination } from '../../wiring/health/examination.ts'
import { type Command, exitCodes, type Terminal } from '../support/command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'do repository, catalogue and blobs agree?',
  usage: `sedge doctor [--repair]

Checks the repository (git fsck) and the database, and compares repository,
catalogue and blobs byte for byte. The service must be stopped. With --repair, lost
and damaged blobs are put back from the repository, and those of large files from
its lfs/objects or GIT_REMOTE. What nobody has is called lost and left as it is: a backup may have
it. The repository itself is never changed.

Exit codes: 0 all is well (or was put right), 1 something is wrong, 2 wrong use.`,
  async run(args, terminal) {
    const { values } = parseArgs({ args: [...args], options: { repair: { type: 'boolean' } } })
    const { openWorld, worldClock } = await import('../../main.ts')
    const { examineStores } = await import('../../wiring/health/examination.ts')
    const world = await openWorld(terminal.environment)
    if (world === undefined) return exitCodes.failed
    await using _lock = world.lock
    const { config, log } = world
    const options = { ...worldClock, config, log, onFatal: () => {} }
    return await examineStores(options, (examination) =>
      reportOn(examination, { repair: values.repair === true, terminal }),
    )
  },
}

interface Options {
  readonly repair: boolean
  readonly terminal: Terminal
}

async function reportOn(examination: Examination, { repair, terminal }: Options): Promise<number> {
  const { out, error } = terminal
  let wrong = 0
  for (const fault of [
    ...(await examination.repositoryFaults()),
    ...(await examination.databaseFaults()),
  ]) {
    out.write(`${fault}\n`)
    wrong += 1
  }
  const progress = createProgress({
    label: 'comparing',
    total: await examination.fileCount(),
    unit: 'files',
    output: error,
    monotonicMs: () => performance.now(),
  })
  for await (const { kind, path, repaired } of examination.inspect({
    repair,
    onFile: () => progress.advance(1),
  })) {
    out.write(`${kind}${repaired ? ', put right' : ''}: ${path}\n`)
    if (!repaired) wrong += 1
  }
  progress.finish()
  out.write(wrong === 0 ? 'All is well.\n' : `${wrong} faults. ${advice(repair)}\n`)
  return wrong === 0 ? exitCodes.ok : exitCodes.failed
}

const advice = (repair: boolean): string =>
  repair
    ? 'What the catalogue shows wrongly is mended by sedge rebuild.'
    : 'Blobs are mended by sedge doctor --repair, the catalogue by sedge rebuild.'
