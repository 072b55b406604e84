import { join } from 'node:path'

import { Mutex } from '../../../lib/async/mutex.ts'
import {
  type Examination,
  type PushReceiver,
  type ReceivedPush,
} from '../../../ports/pushes/push-receiver.ts'
import { IncomingPackFile } from './incoming-pack.ts'
import { PushedLog } from './pushed-log.ts'
import { pushesDirectory } from './pushes-directory.ts'
import { Quarantine } from './quarantine.ts'
import { GitReceivedPush, type ReceiverNeeds, refuseErased } from './received-push.ts'
import { type PushedZone, ZonePushReceiver } from './zone-push-receiver.ts'

/** Receives pushes into quarantines of their own, beside the repository that they are for. */
export class GitPushReceiver implements PushReceiver {
  readonly #needs: ReceiverNeeds
  readonly #landing = new Mutex()
  #nextNumber = 0

  constructor(needs: ReceiverNeeds) {
    this.#needs = needs
  }

  head(): Promise<string | undefined> {
    return this.#needs.content.head()
  }

  store(pack: AsyncIterable<Uint8Array>): Promise<IncomingPackFile> {
    return IncomingPackFile.store(this.#newPath('pack'), pack, this.#needs.limits)
  }

  async examine({ pack, update, signal }: Examination): Promise<ReceivedPush> {
    const { directory: repository, limits } = this.#needs
    await using opening = new AsyncDisposableStack()
    const directory = this.#newPath('objects')
    const quarantine = opening.use(await Quarantine.open({ directory, repository, limits, signal }))
    await quarantine.index(IncomingPackFile.of(pack))
    const { epoch } = this.#needs.rewriting
    await quarantine.connect(update.formerId, update.newId)
    refuseErased(quarantine, this.#needs.erased)
    await quarantine.requireLeadingOn(update)
    await quarantine.refuseFormerIds(update)
    const log = opening.use(new PushedLog({ ...this.#needs, directory }))
    const line = await log.line(update.formerId, update.newId)
    return new GitReceivedPush({
      ...this.#needs,
      landing: this.#landing,
      epoch,
      update,
      quarantine,
      log,
      line,
      closing: opening.move(),
    })
  }

  /** For what is pushed to the repository of a zone. */
  ofZone(zone: PushedZone): ZonePushReceiver {
    return new ZonePushReceiver({
      ...this.#needs,
      landing: this.#landing,
      newPath: (what) => this.#newPath(what),
      zone,
    })
  }

  #newPath(what: string): string {
    this.#nextNumber += 1
    return join(pushesDirectory(this.#needs.directory), `${this.#nextNumber}-${what}`)
  }
}
