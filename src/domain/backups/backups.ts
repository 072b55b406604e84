import type { BackupSource } from '../../ports/backups/backup-source.ts'
import type { BackupTarget } from '../../ports/backups/backup-target.ts'
import type { Log } from '../../lib/log.ts'
import { type Actor, requireAllZones } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'
import { type BackupJob, createBackupJobs, type EndedJob } from './backup-job.ts'
import { backupIdPattern, type BackupCheck, type BackupManifest } from './backup-manifest.ts'
import { isBackupOverdue, nextBackupAt } from './backup-schedule.ts'
import { collectPieces } from './collect-pieces.ts'
import { listManifestNames, readCheck, readManifest, removeBackup } from './kept-backups.ts'
import type { Pace } from './pace.ts'
import { takeBackup } from './take-backup.ts'
import { type Holder, takeTurnAt, TargetInUseError } from './target-turn.ts'
import type { Retention } from './thin-backups.ts'
import { verifyBackup } from './verify-backup.ts'

export interface KnownBackup {
  readonly id: string
  /** `undefined` where it cannot be read any more. */
  readonly manifest: BackupManifest | undefined
  readonly check: BackupCheck | undefined
}

/** What those look at who watch over the service. */
export interface BackupState {
  readonly isEnabled: boolean
  readonly running: BackupJob | undefined
  readonly lastEnded: EndedJob | undefined
  /** When the newest backup was begun, as far as is known. */
  readonly newestAt: Date | undefined
  readonly nextAt: Date | undefined
  /** Whether the next one should have been made a good while ago. */
  readonly isOverdue: boolean
}

export interface BackupPlan {
  /** 0: only when somebody orders one. */
  readonly everyHours: number
  readonly retention: Retention
  readonly hasSecrets: boolean
}

/** Only who reaches every zone sees and makes backups. All but `list` reject with `BackupsOff` where none are set up. */
export interface Backups extends AsyncDisposable {
  readonly plan: BackupPlan
  readonly place: string | undefined
  state(): BackupState
  /** Newest first. */
  list(actor: Actor): Promise<readonly KnownBackup[]>
  find(id: string, actor: Actor): Promise<KnownBackup>
  /** As it is in the target; `BackupDamaged` where it is not as it was written. */
  manifest(id: string, actor: Actor): Promise<BackupManifest>
  /** Begins one; resolves at once. Refused with `BackupRunning` where one is under way. */
  start(actor: Actor): Promise<BackupJob>
  /** Begins to read all pieces of one. */
  verify(id: string, actor: Actor): Promise<BackupJob>
  remove(id: string, actor: Actor): Promise<void>
  /** Begins one where it is time; for the clock. */
  startWhereDue(): Promise<void>
  /** Resolves once nothing is under way. */
  idle(): Promise<void>
}

export interface BackupDependencies {
  /** `undefined` where no backups are set up. */
  readonly target: BackupTarget | undefined
  readonly source: BackupSource
  readonly plan: BackupPlan
  readonly paceUntil: (signal: AbortSignal) => Pace
  readonly version: string
  readonly holder: Holder
  readonly isRunning: (pid: number) => boolean
  readonly now: () => Date
  /** Four hexadecimal digits. */
  readonly random: () => string
  /** Who did what, for the audit log; without an actor the clock did. */
  readonly onDeed: (action: string, meta: object, actor: Actor | undefined) => Promise<void>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

export const createBackups = (dependencies: BackupDependencies): Backups =>
  new TargetBackups(dependencies)

class TargetBackups implements Backups {
  readonly #given: BackupDependencies
  readonly #jobs
  readonly #ending = new AbortController()
  readonly #pace: Pace
  readonly #manifests = new Map<string, BackupManifest | undefined>()
  #newest: BackupManifest | undefined
  #isLookedAt = false

  constructor(given: BackupDependencies) {
    this.#given = given
    this.#jobs = createBackupJobs(given)
    this.#pace = given.paceUntil(this.#ending.signal)
  }

  get plan(): BackupPlan {
    return this.#given.plan
  }

  get place(): string | undefined {
    return this.#given.target?.place
  }

  state(): BackupState {
    const { target } = this.#given
    const facts = this.#facts()
    const { running, lastEnded } = this.#jobs
    return {
      isEnabled: target !== undefined,
      running,
      lastEnded,
      newestAt: facts.newestAt,
      nextAt: target && nextBackupAt(facts),
      isOverdue: target !== undefined && this.#isLookedAt && isBackupOverdue(facts),
    }
  }

  async list(actor: Actor): Promise<readonly KnownBackup[]> {
    requireAllZones(actor)
    return this.#given.target === undefined ? [] : (await this.#all()).toReversed()
  }

  async find(id: string, actor: Actor): Promise<KnownBackup> {
    requireAllZones(actor)
    return await this.#find(id)
  }

  async manifest(id: string, actor: Actor): Promise<BackupManifest> {
    const { manifest } = await this.find(id, actor)
    if (manifest !== undefined) return manifest
    throw new ServiceError('BackupDamaged', `The manifest of ${id} is not as it was written`)
  }

  async start(actor: Actor): Promise<BackupJob> {
    requireAllZones(actor)
    return this.#begin(actor)
  }

  async verify(id: string, actor: Actor): Promise<BackupJob> {
    requireAllZones(actor)
    const target = this.#target
    const manifest = await this.manifest(id, actor)
    const { now, log, onDeed } = this.#given
    const job = { kind: 'verification', id, expectedBytes: manifest.sizeBytes } as const
    return this.#jobs.begin(job, async ({ onBytes }) => {
      await using _turn = await takeTurnAt(target, this.#given)
      await onDeed('backup.verify', { backup: id }, actor)
      const pace = this.#pace
      const { faults } = await verifyBackup(manifest, { target, now, pace, onPiece: onBytes })
      if (faults.length > 0) log.error('a backup is damaged', { id, pieces: faults.length })
      return id
    })
  }

  async remove(id: string, actor: Actor): Promise<void> {
    requireAllZones(actor)
    const target = this.#target
    this.#jobs.requireNone()
    await this.#find(id)
    await using _turn = await takeTurnAt(target, this.#given).catch(refuseInUse)
    await removeBackup(target, id)
    await this.#given.onDeed('backup.delete', { backup: id }, actor)
    if (this.#newest?.id === id) this.#newest = undefined
    await collectPieces(target, everyBackup)
    await this.#all()
  }

  async startWhereDue(): Promise<void> {
    if (this.#given.target === undefined || this.#jobs.running !== undefined) return
    if (this.#newest === undefined) await this.#all()
    const next = nextBackupAt(this.#facts())
    const isDue = next !== undefined && next <= this.#given.now()
    if (isDue && this.#jobs.running === undefined) this.#begin(undefined)
  }

  idle(): Promise<void> {
    return this.#jobs.idle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error('the service ends'))
    await this.#jobs.idle()
  }

  get #target(): BackupTarget {
    const { target } = this.#given
    if (target !== undefined) return target
    throw new ServiceError('BackupsOff', 'Backups are off: BACKUP_TO says where they go')
  }

  #begin(actor: Actor | undefined): BackupJob {
    const target = this.#target
    const { plan, log, onDeed } = this.#given
    const job = { kind: 'backup', id: undefined, expectedBytes: this.#newest?.sizeBytes } as const
    return this.#jobs.begin(job, async (progress) => {
      await using _turn = await takeTurnAt(target, this.#given)
      await target.clear()
      const { hasSecrets } = plan
      const options = { ...this.#given, target, pace: this.#pace, hasSecrets, progress }
      const manifest = await takeBackup(options)
      this.#newest = manifest
      const { id, sizeBytes, newBytes, missing } = manifest
      log.info('a backup was made', { id, sizeBytes, newBytes, missing: missing.length })
      await onDeed('backup.create', { backup: id, bytes: sizeBytes, newBytes }, actor)
      await collectPieces(target, plan.retention).catch((error: unknown) =>
        log.warn('former backups could not be removed', { error }),
      )
      return id
    })
  }

  async #all(): Promise<readonly KnownBackup[]> {
    const names = await listManifestNames(this.#target)
    const all: KnownBackup[] = []
    for (const [id, name] of names) all.push(await this.#known(id, name))
    for (const name of this.#manifests.keys())
      if (![...names.values()].includes(name)) this.#manifests.delete(name)
    this.#newest = all.findLast(({ manifest }) => manifest !== undefined)?.manifest
    this.#isLookedAt = true
    return all
  }

  async #find(id: string): Promise<KnownBackup> {
    const names = backupIdPattern.test(id) ? await listManifestNames(this.#target) : undefined
    const name = names?.get(id)
    if (name !== undefined) return await this.#known(id, name)
    throw new ServiceError('NotFound', `There is no backup "${id}"`, { target: 'id' })
  }

  /** A manifest that was right is not read again: its name says its bytes. */
  async #known(id: string, name: string): Promise<KnownBackup> {
    const manifest = this.#manifests.get(name) ?? (await readManifest(this.#target, name))
    if (manifest !== undefined) this.#manifests.set(name, manifest)
    return { id, manifest, check: await readCheck(this.#target, id) }
  }

  #facts() {
    const { plan, now } = this.#given
    const { lastEnded } = this.#jobs
    const hasFailed = lastEnded?.kind === 'backup' && lastEnded.error !== undefined
    return {
      everyHours: plan.everyHours,
      newestAt: this.#newest && new Date(this.#newest.startedAt),
      failedAt: hasFailed ? lastEnded.endedAt : undefined,
      now: now(),
    }
  }
}

const everyBackup: Retention = { newest: Infinity, days: 0, weeks: 0 }

function refuseInUse(error: unknown): never {
  if (error instanceof TargetInUseError) throw new ServiceError('BackupRunning', error.message)
  throw error
}
