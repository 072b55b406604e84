import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import {
  FollowedRepository,
  type RepositoryPast,
} from '../../adapters/git/read/followed-repository.ts'
import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ReadParts, ReadWorld } from './read-parts.ts'

/** More than taking up the packs of a change takes. */
const patienceMs = 2_000
const lookAgainMs = 50

/** Reads what commits had, and sees to it that those are all that are published. */
export interface RepositoryReads {
  readonly past: RepositoryPast
  /**
   * Answers once all is there that was published when it was asked. Asks the database each time: where commits
   * were written anew, nothing that they had before is to be shown, and the feed does not tell of it at once.
   */
  readonly keepCurrent: () => Promise<void>
}

export function openRepositoryReads(
  { config, log, now, monotonicMs }: ReadWorld,
  { database, repository, opening }: Pick<ReadParts, 'database' | 'repository' | 'opening'>,
): RepositoryReads {
  const publications = new SqlPublicationStore(database)
  const past = opening.use(
    new FollowedRepository({
      directory: join(config.dataDirectory, 'repository.git'),
      blobs: repository.blobs,
      state: () => repository.state,
      now,
      onWarning: (message) => log.warn(message),
    }),
  )

  async function isCurrent(): Promise<boolean> {
    const { commitId } = await publications.position()
    if (commitId === undefined || commitId === repository.state.commitId) return true
    await repository.catchUp()
    const { commitId: copied } = repository.state
    return copied !== undefined && (await past.buildsOn(copied, commitId))
  }

  return {
    past,
    async keepCurrent() {
      const began = monotonicMs()
      while (!(await isCurrent())) {
        if (monotonicMs() - began > patienceMs)
          throw new ServiceError('Unavailable', 'This node has not got the newest commits yet')
        await pause(lookAgainMs)
      }
    },
  }
}
