import type { Database } from '../../adapters/sql/database.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { RepositoryState } from '../../domain/cluster/repository-follower.ts'
import type { Replica } from '../../domain/edges/feed/replica.ts'
import type { ObservedResponse } from '../../http/observed/observed-response.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { HostPurposes } from '../delivery/host-purposes.ts'
import type { MediaDelivery } from '../media.ts'
import type { World } from '../world.ts'

export type ReadWorld = Pick<World, 'config' | 'log' | 'now' | 'newId' | 'monotonicMs' | 'underWay'>

/** The repository of a node that stands by, which is kept to where the published state is. */
export interface RepositoryCopied {
  readonly state: RepositoryState
  /** Where its large files are. */
  readonly blobs: BlobStore
  /** Takes up what was published; nothing where this node is about to write, which takes it up by itself. */
  catchUp(): Promise<void>
}

/** What a node has that follows the one that writes. */
export interface ReadParts {
  /** The one that all nodes share. Nothing is published through it. */
  readonly database: Database
  readonly catalog: Catalog
  readonly replica: Pick<Replica, 'position' | 'published' | 'feed'>
  readonly media: MediaDelivery
  readonly blobs: Pick<BlobStore, 'open'>
  readonly hosts: Pick<HostPurposes, 'hasDashboard'>
  readonly repository: RepositoryCopied
  readonly onResponse: (answered: ObservedResponse) => void
  readonly opening: AsyncDisposableStack
}
