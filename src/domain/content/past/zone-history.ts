import type { Commit, ContentStore } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { invalid } from '../../errors.ts'
import { repositoryPath, type DirectoryPath } from '../asset-path.ts'
import { zoneDirectory } from '../zone-settings.ts'
import { isOfZone } from './pin-source.ts'
import { pathBelowZone, publishedZone } from './zone-states.ts'

export type ZoneCommit = Omit<Commit, 'changes'>

export interface WantedCommits {
  readonly limit: number
  /** The id of a commit: those before it. */
  readonly before?: string | undefined
  /** Those of this moment and before it. */
  readonly moment?: Date | undefined
  /** A directory or a file of the zone, such as `v1/icons`. */
  readonly path?: string | undefined
  /** A credential or a name; of `session` and other kinds of credentials, all of that kind. */
  readonly author?: string | undefined
}

export interface ZoneCommits {
  /** Newest first. */
  readonly commits: readonly ZoneCommit[]
  /** `before` of the next page; `undefined` where there is none. */
  readonly next: string | undefined
}

/** The commits that changed a zone, from the one that made it on. */
export interface ZoneHistory {
  /**
   * A page of them. Where an author is asked for it may have fewer than its limit, or none, and yet be
   * followed by another: so many commits are looked at for one page.
   */
  commits(zone: string, wanted: WantedCommits, actor: Actor): Promise<ZoneCommits>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'buildsOn' | 'commitAsOf' | 'commitNamed' | 'history'>
  readonly published: Pick<Manifest, 'zone'>
}

/** Looked at in one go, and for one page, where an author is asked for. */
const lookedAtOnce = 500
const maxLookedAt = 5_000
const none: ZoneCommits = { commits: [], next: undefined }

interface Walk {
  readonly zone: ZoneRecord
  readonly path: string
  /** The newest commit to look at; the newest of all where `undefined`. */
  readonly until: string | undefined
  /** Whether that one was on the page before. */
  readonly isSeen: boolean
}

export function createZoneHistory({ content, published }: Dependencies): ZoneHistory {
  /** So many commits of the walk, and whether there are more. */
  async function some({ zone, path, until, isSeen }: Walk, count: number) {
    const found = await content.history(path, count + 2, { since: zone.commitId, until })
    const own = found.filter(
      ({ id, committedAt }) => !(isSeen && id === until) && isYoung(zone, committedAt),
    )
    return { commits: own.slice(0, count), isMore: own.length > count }
  }

  async function ofAuthor(walk: Walk, author: string, limit: number): Promise<ZoneCommits> {
    const matches: ZoneCommit[] = []
    let { until, isSeen } = walk
    for (let lookedAt = 0; lookedAt < maxLookedAt; lookedAt += lookedAtOnce) {
      const { commits, isMore } = await some({ ...walk, until, isSeen }, lookedAtOnce)
      for (const commit of commits) {
        if (matches.length === limit) return pageOf(matches, true)
        if (isBy(author, commit)) matches.push(commit)
      }
      if (!isMore) return pageOf(matches, false)
      until = commits.at(-1)?.id
      isSeen = true
    }
    return { commits: matches, next: until }
  }

  return {
    async commits(name, { limit, path, author, ...start }, actor) {
      requireZone(actor, name)
      const zone = publishedZone(name, published)
      const begin = await beginOf(start, content)
      if (begin === 'nowhere') return none
      if (begin !== undefined && !(await isOfZone(zone, begin, content))) return none
      const walk = {
        zone,
        path: pathOf(name, path),
        until: begin?.id,
        isSeen: start.before !== undefined,
      }
      if (author !== undefined) return await ofAuthor(walk, author, limit)
      const { commits, isMore } = await some(walk, limit)
      return pageOf(commits, isMore)
    },
  }
}

/** The newest commit to look at; `undefined` for the newest of all. */
async function beginOf(
  { before, moment }: Pick<WantedCommits, 'before' | 'moment'>,
  content: Pick<ContentStore, 'commitAsOf' | 'commitNamed'>,
) {
  if (before !== undefined) {
    const named = await content.commitNamed(before)
    if (named === undefined || named === 'ambiguous')
      throw invalid('before', 'must be the id of a commit')
    return named
  }
  return moment === undefined ? undefined : ((await content.commitAsOf(moment)) ?? 'nowhere')
}

/** All of the zone, its settings among it, where no path is said. */
const pathOf = (zone: string, path: string | undefined): string =>
  path === undefined
    ? zoneDirectory(zone)
    : repositoryPath(pathBelowZone(zone, path, 'path') as DirectoryPath)

const pageOf = (commits: readonly ZoneCommit[], isMore: boolean): ZoneCommits => ({
  commits,
  next: isMore ? commits.at(-1)?.id : undefined,
})

const isBy = (author: string, { request }: ZoneCommit): boolean =>
  request.author === author || request.author.startsWith(`${author}:`)

/** Where the commit that made the zone is known it says more than the time. */
const isYoung = (
  { commitId, createdAt }: Pick<ZoneRecord, 'commitId' | 'createdAt'>,
  committedAt: Date,
): boolean => commitId !== undefined || committedAt >= createdAt
