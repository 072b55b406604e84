import { join } from 'node:path'

import { UploadPack } from '../../adapters/git/remote/upload-pack.ts'
import { createClones } from '../../domain/content/clones.ts'
import { trustedProxies } from '../../http/request/client-address.ts'
import { Slots } from '../../lib/async/slots.ts'
import { readGauge } from '../../lib/metrics.ts'
import { type CloneService, createCloneService } from '../../planes/git/clone-service.ts'
import type { Access } from '../access/access.ts'
import type { Measuring } from '../metrics/metrics.ts'
import type { World } from '../world.ts'

/** Each is a git process. */
const maxClones = 8

interface Opened {
  readonly access: Access
  readonly measuring: Measuring | undefined
}

/** The repository for those who clone it over HTTP. */
export function openClones(
  { config, log, newId }: World,
  { access, measuring }: Opened,
): CloneService {
  const slots = new Slots(maxClones)
  if (measuring !== undefined)
    readGauge(
      measuring.metrics,
      { name: 'sedge_clones_running', help: 'Git processes that serve clones and fetches.' },
      () => slots.taken,
    )
  return createCloneService({
    clones: createClones({
      source: new UploadPack(join(config.dataDirectory, 'repository.git')),
      slots,
    }),
    authenticate: access.authenticate,
    guesses: access.guesses,
    trustedProxies: trustedProxies(config.trustedProxies),
    newId,
    log,
  })
}
