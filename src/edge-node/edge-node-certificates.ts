import { join } from 'node:path'

import { DiskCertificateStore } from '../adapters/disk/disk-certificate-store.ts'
import {
  type CertificateFollower,
  openCertificateFollower,
} from '../domain/edges/certificates/certificate-follower.ts'
import {
  type HandedOutCertificates,
  asOrigin,
} from '../domain/edges/certificates/handed-out-certificates.ts'
import { createTextSealer } from '../lib/secrets/text-sealer.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'
import type { Replicated } from './replicated-manifest.ts'

interface Opened {
  readonly replicated: Replicated
  /** What is at hand without asking the origin. */
  readonly atHand: HandedOutCertificates | undefined
  readonly opening: AsyncDisposableStack
}

/** An edge that does no TLS has no use for keys, and so never asks for them. */
export async function openCertificates(
  { settings, log }: EdgeNodeWorld,
  { replicated, atHand, opening }: Opened,
): Promise<CertificateFollower | undefined> {
  const { published, feed } = replicated.replica
  const origin = atHand === undefined ? replicated.origin : asOrigin(atHand)
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
  return opening.use(await openCertificateFollower({ origin, store, published, feed, log }))
}
