import { MemoryUploadGrantStore } from '../../../adapters/memory/access/memory-upload-grant-store.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import type { TokenRecord } from '../../../ports/access/token-store.ts'
import { describedBeside } from '../../content/metadata/descriptions.ts'
import type { Actor } from '../../access/actor.ts'
import { actor, openUploads } from '../uploads.fixture.ts'
import { grantActorPrefix } from './grant-actor.ts'
import { createGrantCheck } from './grant-check.ts'
import { createGrantUses } from './grant-uses.ts'
import { createGrantedUploads } from './granted-uploads.ts'
import { createGrantors } from './grantors.ts'
import { createUploadGrants } from './grants.ts'
import type { GrantRequest } from './grant-request.ts'
import { grantKeys } from './sealed-grant.ts'

export const png = new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))

/** Grants over memory, for the zones `acme` and `other`; `restart` is what another process has of the same. */
export async function openGrants() {
  const world = await openUploads()
  const { database, clock, now, catalog } = world
  const tokenById = new Map<string, TokenRecord>()
  const store = new MemoryUploadGrantStore(database)
  let number = 0
  const newId = () => `id-${(number += 1)}`

  function openParts(keys: readonly Secret[] = [new Secret('key')]) {
    const staged = world.dependencies.store
    const grants = createUploadGrants({
      store,
      grantors: createGrantors({
        keysById: { 'access-key': keys },
        tokens: { byId: (id) => tokenById.get(id) },
        findStanding: () => undefined,
      }),
      published: catalog,
      keys: grantKeys(keys),
      maxFileBytes: 1000,
      maxPerZone: 20,
      endUpload: (id, by) => uses.end(id, by),
      now,
      newId,
    })
    const uploads = world.restart({
      checkWhole: createGrantCheck({
        grants,
        store,
        describedBeside: (tree, said) => describedBeside(tree, said, catalog),
      }),
    })
    const uses = createGrantUses({ uploads, staged, store, now })
    const granted = createGrantedUploads({ uploads, uses, staged, grants, newId })
    return { grants, uploads, uses, granted }
  }

  return {
    ...world,
    ...openParts(),
    store,
    tokenById,
    restart: openParts,
    wait: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
  }
}

export const grantRequest = (given: Partial<GrantRequest> = {}): GrantRequest => ({
  path: 'acme/v1/logos/a.png',
  prefix: undefined,
  maxBytes: undefined,
  types: undefined,
  origins: undefined,
  times: 1,
  overwrites: false,
  expiresAt: undefined,
  metadata: undefined,
  ...given,
})

/** Who holds a grant. */
export const holderOf = ({ id, zone }: { readonly id: string; readonly zone: string }): Actor => ({
  ...actor,
  credentialId: `${grantActorPrefix}${id}`,
  zones: new Set([zone]),
})
