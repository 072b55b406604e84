import type { Probe } from '../domain/health/health.ts'
import type { Publishing } from './publishing.ts'
import type { Stores } from './stores.ts'

interface OtherProbes {
  readonly transformer: () => Promise<void>
  /** Where there is one. */
  readonly mirror: (() => Promise<void>) | undefined
}

/** Parts of the service that can say whether they work. */
export function probesOf(
  { database, blobs, content, publications }: Stores,
  { publisher }: Publishing,
  { transformer, mirror }: OtherProbes,
): readonly Probe[] {
  return [
    { name: 'publishing', isDeep: false, run: async () => requireTrue(publisher.isCurrent) },
    { name: 'database', isDeep: false, run: async () => requireTrue(await database.isHealthy()) },
    { name: 'repository', isDeep: true, run: async () => void (await content.head()) },
    { name: 'transformer', isDeep: true, run: transformer },
    ...(mirror === undefined ? [] : [{ name: 'mirror', isDeep: true, run: mirror }]),
    { name: 'feed', isDeep: true, run: async () => void (await publications.feedAfter(0, 1)) },
    {
      name: 'blobs',
      isDeep: true,
      run: async () => {
        await using incoming = await blobs.receive(new TextEncoder().encode('health check'))
        await incoming.keep()
        requireTrue(await blobs.isIntact(incoming.sha256))
      },
    },
  ]
}

function requireTrue(isWell: boolean): void {
  if (!isWell) throw new Error('it says that it is not well')
}
