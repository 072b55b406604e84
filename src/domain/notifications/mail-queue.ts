import type { Log } from '../../lib/log.ts'
import type { Mailer } from '../../ports/notifications/mailer.ts'
import type { NotificationStore } from '../../ports/notifications/notification-store.ts'
import { mailOf } from './mail-digest.ts'

/** Sends what is to be mailed, all that waits in one message. */
export interface MailQueue extends AsyncDisposable {
  /** Something was written down. */
  hurry(): void
  /** Sends if it is time. To be called now and then; never rejects. */
  tick(): Promise<void>
  readonly state: MailState
}

export interface MailState {
  /** Attempts that failed since the last that did not. */
  readonly failures: number
  readonly error: string | undefined
  readonly sentAt: Date | undefined
}

interface Dependencies {
  readonly store: Pick<NotificationStore, 'mails' | 'removeMails'>
  readonly mailer: Mailer
  readonly baseUrl: string | undefined
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
}

/** No more messages than one in so long. */
const atMostEveryMs = 60_000
const firstRetryMs = 60_000
const maxRetryMs = 3_600_000
/** What could not be mailed for so long is nobody's news any more. */
const givenUpAfterMs = 3 * 86_400_000
const atOnce = 50

export function createMailQueue({ store, mailer, baseUrl, now, log }: Dependencies): MailQueue {
  let state: MailState = { failures: 0, error: undefined, sentAt: undefined }
  let notBefore = 0
  let running: Promise<void> = Promise.resolve()
  /** At the start there may be some that an earlier process left. */
  let mayHaveMore = true

  async function send(): Promise<void> {
    const at = now()
    if (!mayHaveMore || at.getTime() < notBefore) return
    mayHaveMore = false
    const waiting = await store.mails(atOnce)
    const old = waiting.filter(({ notice }) => at.getTime() - notice.at.getTime() > givenUpAfterMs)
    if (old.length > 0) await store.removeMails(old.map(({ number }) => number))
    const pending = waiting.filter((each) => !old.includes(each))
    mayHaveMore = waiting.length === atOnce
    if (pending.length === 0) return
    mayHaveMore = true
    notBefore = at.getTime() + atMostEveryMs
    await mailer.send(mailOf(pending, baseUrl))
    await store.removeMails(pending.map(({ number }) => number))
    state = { failures: 0, error: undefined, sentAt: now() }
  }

  function fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (reason !== state.error) log.warn('notifications could not be mailed', { reason })
    const waitMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(state.failures, 10))
    state = { ...state, failures: state.failures + 1, error: reason }
    notBefore = now().getTime() + waitMs
    mayHaveMore = true
  }

  return {
    get state() {
      return state
    },
    hurry() {
      mayHaveMore = true
    },
    tick() {
      running = running.then(send).catch(fail)
      return running
    },
    [Symbol.asyncDispose]: () => running,
  }
}
