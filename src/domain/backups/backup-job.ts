import type { Log } from '../../lib/log.ts'
import { ServiceError } from '../errors.ts'
import type { BackupPhase } from './take-backup.ts'

/** What is going on at the target. */
export interface BackupJob {
  readonly kind: 'backup' | 'verification'
  /** The backup that is verified. */
  readonly id: string | undefined
  readonly startedAt: Date
  readonly phase: BackupPhase
  readonly doneBytes: number
  /** About: of the backup before, where there is one. */
  readonly expectedBytes: number | undefined
}

/** How the last that was begun here ended. */
export interface EndedJob {
  readonly kind: BackupJob['kind']
  readonly id: string | undefined
  readonly endedAt: Date
  /** Why it came to nothing; absent where it did not. */
  readonly error: string | undefined
}

/** Tells how far it is. */
export interface JobProgress {
  readonly onPhase: (phase: BackupPhase) => void
  readonly onBytes: (count: number) => void
}

/** One job at a time. */
export interface BackupJobs {
  readonly running: BackupJob | undefined
  readonly lastEnded: EndedJob | undefined
  /** Refused with `BackupRunning` where one is under way. `work` resolves to the id of its backup. */
  begin(
    job: Pick<BackupJob, 'kind' | 'id' | 'expectedBytes'>,
    work: (progress: JobProgress) => Promise<string>,
  ): BackupJob
  /** Refuses what must not be done beside one. */
  requireNone(): void
  /** Resolves once none is under way. */
  idle(): Promise<void>
}

interface Dependencies {
  readonly now: () => Date
  readonly log: Pick<Log, 'error'>
}

export function createBackupJobs({ now, log }: Dependencies): BackupJobs {
  let running: BackupJob | undefined
  let lastEnded: EndedJob | undefined
  let work: Promise<void> = Promise.resolve()

  function change(by: (job: BackupJob) => Partial<BackupJob>): void {
    if (running !== undefined) running = { ...running, ...by(running) }
  }
  function requireNone(): void {
    if (running === undefined) return
    throw new ServiceError('BackupRunning', `A ${running.kind} is under way already`)
  }
  async function run({ kind, id }: BackupJob, act: Promise<string>): Promise<void> {
    try {
      lastEnded = { kind, id: await act, endedAt: now(), error: undefined }
    } catch (error) {
      lastEnded = { kind, id, endedAt: now(), error: reasonOf(error) }
      log.error(`a ${kind} came to nothing`, { error })
    } finally {
      running = undefined
    }
  }
  return {
    get running() {
      return running
    },
    get lastEnded() {
      return lastEnded
    },
    begin(job, act) {
      requireNone()
      const phase = job.kind === 'backup' ? 'rows' : 'check'
      const begun: BackupJob = { ...job, startedAt: now(), phase, doneBytes: 0 }
      running = begun
      const progress: JobProgress = {
        onPhase: (phaseNow) => change(() => ({ phase: phaseNow })),
        onBytes: (count) => change(({ doneBytes }) => ({ doneBytes: doneBytes + count })),
      }
      work = run(begun, act(progress))
      return begun
    },
    requireNone,
    idle: () => work,
  }
}

const maxReasonLength = 500

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, maxReasonLength)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`.slice(0, maxReasonLength)
}
