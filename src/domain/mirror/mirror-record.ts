import { RemoteUnavailableError } from '../../ports/content/remote-repository.ts'
import type { TakenUpCommit } from './import-foreign.ts'
import { MirrorRefusal } from './mirror-round.ts'

export interface MirrorState {
  /** `refused`: somebody has to decide. `failing`: it is tried again. */
  readonly condition: 'starting' | 'current' | 'pending' | 'failing' | 'refused'
  readonly pendingCommits: number
  /** Rounds that failed since the last one that did not. */
  readonly failures: number
  readonly takenUpCommits: number
  readonly leftOutPaths: number
  /** Of what failed last; gone once it works again. */
  readonly error: string | undefined
  /** Why the remote lacks bytes that its commits only name; `undefined` where it has them all. */
  readonly lacks: string | undefined
  readonly pushedAt: Date | undefined
}

/** What is known of a mirror, and what the log is told of it. */
export interface MirrorRecord {
  readonly state: MirrorState
  noteCommits(count: number): void
  noteTakenUp(taken: TakenUpCommit): void
  /** A round went through that began with so many commits pending. */
  noteReached(round: ReachedRound): void
  noteFailed(error: unknown): void
}

interface ReachedRound {
  readonly pendingBefore: number
  readonly hasPushed: boolean
  readonly lacks: string | undefined
}

interface Dependencies {
  readonly now: () => Date
  readonly log: {
    info(message: string, facts: Readonly<Record<string, unknown>>): void
    warn(message: string, facts: Readonly<Record<string, unknown>>): void
  }
}

/** So many paths of one commit are named. */
const saidPaths = 20

const atStart: MirrorState = {
  condition: 'starting',
  pendingCommits: 0,
  failures: 0,
  takenUpCommits: 0,
  leftOutPaths: 0,
  error: undefined,
  lacks: undefined,
  pushedAt: undefined,
}

export function createMirrorRecord({ now, log }: Dependencies): MirrorRecord {
  let state = atStart
  const set = (changed: Partial<MirrorState>) => void (state = { ...state, ...changed })
  return {
    get state() {
      return state
    },
    noteCommits(count) {
      const condition = state.condition === 'current' ? 'pending' : state.condition
      set({ pendingCommits: state.pendingCommits + count, condition })
    },
    noteTakenUp({ leftOut, ...commit }) {
      const leftOutPaths = state.leftOutPaths + leftOut.length
      set({ takenUpCommits: state.takenUpCommits + 1, leftOutPaths })
      log.info('a commit made at the remote is published', { ...commit, leftOut: leftOut.length })
      for (const { path, why } of leftOut.slice(0, saidPaths))
        log.warn('a path of a commit made at the remote was left out', { ...commit, path, why })
    },
    noteReached({ pendingBefore, hasPushed, lacks }) {
      if (lacks !== undefined && lacks !== state.lacks)
        log.warn('the mirror has commits without the bytes of large files', { reason: lacks })
      if (lacks === undefined && state.lacks !== undefined)
        log.info('the mirror has the bytes of all large files', {})
      if (state.failures > 0) log.info('the mirror works again', { failures: state.failures })
      const pendingCommits = state.pendingCommits - pendingBefore
      const condition = pendingCommits > 0 ? 'pending' : 'current'
      const pushedAt = hasPushed ? now() : state.pushedAt
      set({ condition, pendingCommits, failures: 0, error: undefined, lacks, pushedAt })
    },
    /** The same reason is said once, however often it is met. */
    noteFailed(error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== state.error)
        log.warn('the mirror could not be brought up to date', {
          reason: message,
          ...(!isExpected(error) && { error }),
        })
      const condition = error instanceof MirrorRefusal ? 'refused' : 'failing'
      set({ condition, failures: state.failures + 1, error: message })
    },
  }
}

/** Its message says it all. */
const isExpected = (error: unknown): boolean =>
  error instanceof MirrorRefusal || error instanceof RemoteUnavailableError
