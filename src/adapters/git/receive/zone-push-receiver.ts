import type { Mutex } from '../../../lib/async/mutex.ts'
import type { Commit, CommitRequest, Plan } from '../../../ports/content/content-store.ts'
import {
  type Examination,
  type PushedCommit,
  type PushReceiver,
  type ReceivedPush,
  UnfitPushError,
} from '../../../ports/pushes/push-receiver.ts'
import { IncomingPackFile } from './incoming-pack.ts'
import { type LiftedUpdate, liftCommits } from './lifted-commits.ts'
import { PushedLog } from './pushed-log.ts'
import { Quarantine } from './quarantine.ts'
import { GitReceivedPush, type ReceiverNeeds, refuseErased } from './received-push.ts'
import { bringCommits, foreignObject } from './zone-objects.ts'

/** The repository of a zone, as whoever pushes to it sees it. */
export interface PushedZone {
  readonly name: string
  /** Where its files are in the whole repository. */
  readonly path: string
  readonly directory: string
  /** Leads it on, and answers its newest commit. */
  newest(): Promise<string | undefined>
}

interface Needs extends ReceiverNeeds {
  readonly landing: Mutex
  readonly newPath: (what: string) => string
  readonly zone: PushedZone
}

/**
 * Receives pushes to the repository of a zone. They are judged as commits of the whole repository that change
 * nothing but the zone, and merged into that one as they came.
 */
export class ZonePushReceiver implements PushReceiver {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  head(): Promise<string | undefined> {
    return this.#needs.zone.newest()
  }

  store(pack: AsyncIterable<Uint8Array>): Promise<IncomingPackFile> {
    return IncomingPackFile.store(this.#needs.newPath('pack'), pack, this.#needs.limits)
  }

  /** Nothing may come from what the quarantine borrows but from the zone itself: not even a part of a file. */
  async examine({ pack, update, signal }: Examination): Promise<ReceivedPush> {
    const { zone, limits, newPath } = this.#needs
    const { formerId, newId } = update
    if (formerId === undefined) throw new UnfitPushError('it does not build on the branch')
    await using opening = new AsyncDisposableStack()
    const directory = newPath('objects')
    const place = { directory, repository: zone.directory, isClosed: true }
    const quarantine = opening.use(await Quarantine.open({ ...place, limits, signal }))
    await quarantine.index(IncomingPackFile.of(pack))
    const { epoch } = this.#needs.rewriting
    await quarantine.connect(formerId, newId)
    refuseErased(quarantine, this.#needs.erased)
    await quarantine.requireLeadingOn(update)
    await quarantine.refuseFormerIds(update)
    const foreign = await foreignObject({ quarantine, zone: zone.directory, formerId, newId })
    if (foreign !== undefined) throw new UnfitPushError(`its object ${foreign} was not sent`)
    const lifted = await liftCommits({
      directory,
      update: { formerId, newId },
      path: zone.path,
      maxCommits: limits.maxCommits,
    })
    const log = opening.use(new PushedLog({ ...this.#needs, directory }))
    const line = await log.line(lifted.formerId, lifted.newId)
    const closing = opening.move()
    const received = { ...this.#needs, epoch, update, quarantine, log, line, closing }
    return new ZoneReceivedPush({
      inner: new GitReceivedPush(received),
      log,
      lifted,
      ...this.#needs,
    })
  }
}

interface Received extends Needs {
  readonly inner: GitReceivedPush
  readonly log: PushedLog
  readonly lifted: LiftedUpdate
}

class ZoneReceivedPush implements ReceivedPush {
  readonly #needs: Received

  constructor(needs: Received) {
    this.#needs = needs
  }

  get isLine(): boolean {
    return this.#needs.inner.isLine
  }

  get namesFault(): string | undefined {
    return this.#needs.inner.namesFault
  }

  get commits(): readonly PushedCommit[] {
    return this.#needs.inner.commits.map((commit) => this.#named(commit))
  }

  has(contentId: string): boolean {
    return this.#needs.inner.has(contentId)
  }

  async whole(): Promise<PushedCommit> {
    const { log, lifted } = this.#needs
    return this.#named(await log.whole(lifted.formerId, lifted.newId))
  }

  async keep(commit: PushedCommit): Promise<Commit> {
    return this.#named(await this.#needs.inner.keep(commit))
  }

  /** The whole repository never goes on to a commit of a zone. */
  async advance(): Promise<boolean> {
    return false
  }

  async merge(request: Omit<CommitRequest, 'mergedId'>, plan: Plan): Promise<Commit | undefined> {
    const { zone, directory, packs, inner, rewriting } = this.#needs
    await rewriting.share(() => bringCommits({ from: zone.directory, to: directory, packs }))
    return await inner.merge({ ...request, mergedZone: zone.name }, plan)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#needs.inner[Symbol.asyncDispose]()
  }

  /** By the id that whoever pushed knows. */
  #named<T extends { readonly id: string }>(commit: T): T {
    return { ...commit, id: this.#needs.lifted.originalOf(commit.id) }
  }
}
