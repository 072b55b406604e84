import { type Command, exitCodes } from '../support/command.ts'

export const rebuildCommand: Command = {
  name: 'rebuild',
  summary: 'make catalogue and blobs anew from git',
  usage: `sedge rebuild

Forgets catalogue, zones and rule files and makes them again from the history of the
repository; blobs that are missing are written. Images are looked at and read anew
after the next start. The feed, the audit log, custom
domains and quotas stay. Nothing is announced. The service must be stopped.

Exit codes: 0 done, 1 not done.`,
  async run(_args, { environment, out }) {
    const { openWorld, worldClock } = await import('../../main.ts')
    const { rebuildProjections } = await import('../../wiring/health/examination.ts')
    const world = await openWorld(environment)
    if (world === undefined) return exitCodes.failed
    await using _lock = world.lock
    const { config, log } = world
    const assets = await rebuildProjections({ ...worldClock, config, log, onFatal: () => {} })
    out.write(`${assets} assets catalogued from the repository\n`)
    return exitCodes.ok
  },
}
