import { SqlUploadGrantStore } from '../../adapters/sql/access/sql-upload-grant-store.ts'
import { createFiles } from '../../domain/content/files/files.ts'
import { grantActorPrefix } from '../../domain/uploads/grants/grant-actor.ts'
import { describedBeside } from '../../domain/content/metadata/descriptions.ts'
import { createGrantCheck } from '../../domain/uploads/grants/grant-check.ts'
import { createGrantUses, type GrantUses } from '../../domain/uploads/grants/grant-uses.ts'
import { createGrantedUploads } from '../../domain/uploads/grants/granted-uploads.ts'
import { createGrantors } from '../../domain/uploads/grants/grantors.ts'
import { createUploadGrants, type UploadGrants } from '../../domain/uploads/grants/grants.ts'
import { grantKeys } from '../../domain/uploads/grants/sealed-grant.ts'
import type { FindGrant } from '../../http/access/upload-grant.ts'
import { openUploads } from '../content/uploads.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'
import type { Access } from './access.ts'

export type Uploading = Awaited<ReturnType<typeof openUploading>>

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly access: Pick<Access, 'operations'>
  readonly opening: AsyncDisposableStack
}

/** Storing files: at once, piece by piece, and by people who have nothing but a grant. */
export async function openUploading(world: World, opened: Opened) {
  const { config, now } = world
  const { stores, publishing, opening } = opened
  const { blobs, content } = stores
  const { catalog, publisher, calm } = publishing
  const head = () => content.head()
  const files = createFiles({ blobs, published: catalog, publisher, head, calm })
  const store = new SqlUploadGrantStore(stores.database)
  const grants = createUploadGrants({
    store,
    grantors: grantorsOf(world, opened),
    published: catalog,
    keys: grantKeys(
      [config.keys.signedUrlSecret, config.previousKeys.signedUrlSecret].flatMap(
        (each) => each ?? [],
      ),
    ),
    maxFileBytes: config.maxFileMb * 2 ** 20,
    maxPerZone: config.uploadGrantsPerZone,
    endUpload: (id, by) => uses.end(id, by),
    now,
    newId: () => crypto.randomUUID(),
  })
  const checkWhole = createGrantCheck({
    grants,
    store,
    describedBeside: (tree, said) => describedBeside(tree, said, catalog),
  })
  const { uploads, inUse, ...limits } = openUploads(world, { ...opened, files, checkWhole })
  const staged = stores.uploads
  const uses = createGrantUses({ uploads, staged, store, now })
  await uses.settle(true)
  settleOften(world, uses, opening)
  return {
    files,
    ...limits,
    inUse,
    grants,
    findGrant: findGrantIn(grants),
    uploads: createGrantedUploads({
      uploads,
      uses,
      staged,
      grants,
      newId: () => crypto.randomUUID(),
    }),
  }
}

/** The credential that a grant from a URL is. */
const findGrantIn =
  (grants: Pick<UploadGrants, 'find'>): FindGrant =>
  async (grant, { origin }) => {
    const found = await grants.find(grant, origin)
    if (found === undefined) return undefined
    const { id, path } = found
    const zone = path.slice(0, path.indexOf('/'))
    return { kind: 'grant', id: `${grantActorPrefix}${id}`, zones: new Set([zone]), path }
  }

function grantorsOf({ config }: World, { access }: Pick<Opened, 'access'>) {
  const { keys, previousKeys } = config
  return createGrantors({
    keysById: {
      'access-key': [keys.accessKey, previousKeys.accessKey].flatMap((key) => key ?? []),
      'account-key': [keys.accountKey, previousKeys.accountKey].flatMap((key) => key ?? []),
    },
    tokens: access.operations.tokens,
    findStanding: (id) => access.operations.people.standing(id),
  })
}

const settleEveryMs = 60_000

function settleOften({ log }: World, uses: GrantUses, opening: AsyncDisposableStack): void {
  const settle = (): void =>
    void uses
      .settle()
      .catch((error: unknown) => log.warn('uses of upload grants cannot be given back', { error }))
  const timer = setInterval(settle, settleEveryMs)
  opening.defer(() => clearInterval(timer))
}
