import { join } from 'node:path'

import { DiskCertificateStore } from '../../adapters/disk/disk-certificate-store.ts'
import {
  type CertificateFollower,
  openCertificateFollower,
} from '../../domain/edges/certificate-follower.ts'
import { createTextSealer } from '../../lib/text-sealer.ts'
import type { PresenceWorld } from './presence-settings.ts'
import type { Replicated } from './replicated.ts'

/** An edge that does no TLS has no use for keys, and so never asks for them. */
export async function openCertificates(
  { settings, log }: PresenceWorld,
  { origin, replica: { published, feed } }: Replicated,
  opening: AsyncDisposableStack,
): Promise<CertificateFollower | undefined> {
  if (!settings.hasTls) return undefined
  const {
    directory,
    secretsKeys: [first, ...former],
  } = settings
  const store = await DiskCertificateStore.open({
    directory: join(directory, 'certificates'),
    sealer: first && createTextSealer([first, ...former], 'certificates'),
    onUnreadable: (file, why) => log.error('a kept certificate cannot be used', { file, why }),
  })
  const warn: PresenceWorld['log']['warn'] = (message, facts) => log.warn(message, facts)
  return opening.use(await openCertificateFollower({ origin, store, published, feed, warn }))
}
