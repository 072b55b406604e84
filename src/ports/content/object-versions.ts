import type { BlobRef } from './blob-store.ts'
import type { ObjectVersion } from '../records/object-version.ts'

export interface ObjectVersionQuery {
  /** The first path there may be. */
  readonly from: string
  /** All paths are before this one, where given. */
  readonly before?: string | undefined
  /**
   * Nothing up to this version, where given: of its path older ones alone, and none without a commit or
   * with one that did nothing to the path. Counts before `from`.
   */
  readonly after?: { readonly path: string; readonly commitId: string | undefined } | undefined
  readonly limit: number
}

/** Bytes that somebody has had a version of removed, and a zone that had it. */
export interface ReleasedBlob extends BlobRef {
  readonly zone: string
}

/**
 * Every version of every object of the zones that there are: what each commit put at a path or took away
 * from it. Written with publications. The end of a zone takes its own with it.
 */
export interface ObjectVersions {
  /** In byte order of the path, of each path the newest first, at most `limit`. */
  list(query: ObjectVersionQuery): Promise<readonly ObjectVersion[]>
  /** What the newest commit that concerned a path made of it. */
  newest(path: string): Promise<ObjectVersion | undefined>
  /** What a commit made of a path; `undefined` where it did nothing to it. */
  find(path: string, commitId: string): Promise<ObjectVersion | undefined>
  /** Those that put any of these bytes somewhere, in no order, at most `limit`. */
  withBytes(sha256s: readonly string[], limit: number): Promise<readonly ObjectVersion[]>
  /** Forgets every version that put any of these bytes somewhere. */
  letGo(sha256s: readonly string[]): Promise<void>
  /**
   * Forgets what one commit made of a path, whatever came after it. What bytes it put there are released from then
   * on, until that is settled.
   */
  release(path: string, commitId: string): Promise<void>
  /** At most `limit`, by SHA-256. */
  released(limit: number): Promise<readonly ReleasedBlob[]>
  settleReleased(sha256s: readonly string[]): Promise<void>
  /** What the path had before a commit that concerned it. */
  before(path: string, commitId: string): Promise<ObjectVersion | undefined>
}

/** Which commits of before there were versions have yet to be told. */
export interface EarlierCommits {
  /** The last of them. */
  readonly until: string
  /** The last that was told; `undefined` where none was. */
  readonly done: string | undefined
}

export interface EarlierVersion {
  readonly version: ObjectVersion
  /** Which zone of the name it belongs to. */
  readonly zoneCommitId: string
}

/** Some commits in a row, and what they did. */
export interface EarlierCommitRange {
  /** Those that ended: what was added of them before goes. What follows their end is among the versions. */
  readonly removedZones: readonly string[]
  readonly versions: readonly EarlierVersion[]
  /** The last commit they tell of; none is missing after `until`. */
  readonly done: string
}

/** Versions of before there were any, told in the order of their commits. */
export interface EarlierVersions {
  /** `undefined` where all are told. */
  missing(): Promise<EarlierCommits | undefined>
  /**
   * Adds versions that are older than all that were published and newer than all that were added, but for
   * those of zones that are gone. Does nothing where none is missing.
   */
  add(commits: EarlierCommitRange): Promise<void>
}
