import { createS3FifoCache } from '../../../lib/collections/s3-fifo-cache.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import type { MediaFacts, MediaFactsStore } from '../../../ports/media/media-facts-store.ts'
import { createExaminer, type Examiner, type ExaminerDependencies } from './examiner.ts'
import type { Asking, ImageRecord } from './inspection.ts'
import { createStoredFacts, type StoredFacts } from './stored-facts.ts'
import { createTrims, type Trims } from './trimmed-images.ts'
import { createRefusals } from '../render/recent-refusals.ts'

/** What is known of published images, looked for the first time it is needed. */
export interface KnownMedia {
  /**
   * Header facts at least; of what is no image those of its still. Throws `UnprocessableImage` for what
   * has none, and what `Stills.find` does.
   */
  find(
    picture: ImageRecord,
    signal?: AbortSignal,
    priority?: Asking['priority'],
  ): Promise<MediaFacts>
  /** With what stands for it until it is there, for which a few pixels will do. */
  summarised(picture: ImageRecord, asking: Asking): Promise<MediaFacts>
  /** With faces, likeness and the rest. */
  analysed(picture: ImageRecord, asking: AnalysisAsking): Promise<MediaFacts>
  readonly trimmed: Trims
  /** As the pixels of an image are stored, what is known of it. */
  readonly asStored: StoredFacts
  /** What has been found so far, if anything; looks at no pixel. For listings. */
  known(sha256: string): Promise<MediaFacts | undefined>
  /** Reads what has been found of many at once, so that {@link KnownMedia.known} has it in memory. */
  recall(sha256s: readonly string[]): Promise<void>
  /** Has what is known looked for anew: it may have changed elsewhere. */
  forget(sha256: string): void
  forgetAll(): void
  /** Keeps what is written in an image that is known. */
  setText(sha256: string, text: string): Promise<void>
}

export interface AnalysisAsking extends Asking {
  /** Whether to look once more at what was analysed by a version that did not tell likenesses. */
  readonly withLikeness?: boolean
}

interface Dependencies extends ExaminerDependencies {
  readonly store: MediaFactsStore
  /** Milliseconds that only grow. */
  readonly now: () => number
}

const memoryBytes = 16 * 2 ** 20
const nothingMore = { analysis: undefined, text: undefined }
/** About what a record weighs in memory. */
const recordBytes = 1000

export function createKnownMedia(dependencies: Dependencies): KnownMedia {
  const { store } = dependencies
  const examiner = createExaminer(dependencies)
  const memory = createMemory()
  const inspections = createSingleFlight<MediaFacts>()
  const analyses = createSingleFlight<MediaFacts>()
  const refusals = createRefusals(dependencies.now)

  async function known(sha256: string): Promise<MediaFacts | undefined> {
    const since = memory.moment()
    const cached = memory.get(sha256)
    if (cached) return cached
    const stored = await store.find(sha256)
    return stored && memory.remember(stored, since)
  }

  async function inspect(picture: ImageRecord, asking: Asking): Promise<MediaFacts> {
    const { sha256 } = picture
    const since = memory.moment()
    const header = await examiner.inspect(picture, asking)
    // Somebody of the other priority may have been faster, and looked at all of it since.
    const found = await store.find(sha256)
    if (found !== undefined) return memory.remember(found, since)
    await store.save({ sha256, header, analysis: undefined })
    return memory.remember({ sha256, header, ...nothingMore }, since)
  }

  async function analyse(picture: ImageRecord, asking: Asking): Promise<MediaFacts> {
    const { sha256 } = picture
    const since = memory.moment()
    const facts = await find(picture, asking.signal, asking.priority)
    // What a former version found lacks what this one looks for.
    const header = facts.analysis ? await examiner.inspect(picture, asking) : facts.header
    const analysis = await examiner.analyse(picture, { ...facts, header }, asking)
    await store.save({ sha256, header, analysis })
    return memory.remember({ ...((await store.find(sha256)) ?? facts), analysis }, since)
  }

  const find: KnownMedia['find'] = async (picture, signal, priority = 'interactive') =>
    (await known(picture.sha256)) ??
    (
      await inspections.run(`${priority} ${picture.sha256}`, signal, (flight) =>
        refusals.guard(picture.sha256, () => inspect(picture, { priority, signal: flight })),
      )
    ).value

  return {
    find,
    known,
    recall: (sha256s) => recall(sha256s, { store, memory }),
    trimmed: createTrims({ examiner, find, now: dependencies.now }),
    asStored: createStoredFacts(examiner),
    forget: (sha256) => memory.forget(sha256),
    forgetAll: () => memory.forgetAll(),
    summarised: createSummaries({ store, examiner, memory, find }),
    async analysed(picture, { priority, signal, withLikeness = false }) {
      const facts = await find(picture, signal, priority)
      if (facts.analysis && !(withLikeness && facts.analysis.likeness === undefined)) return facts
      // Someone who waits must not share the place in the queue of background work.
      const work = (flight: AbortSignal) => analyse(picture, { priority, signal: flight })
      return (await analyses.run(`${priority} ${picture.sha256}`, signal, work)).value
    },
    async setText(sha256, text) {
      await store.setText(sha256, text)
      memory.forget(sha256)
    },
  }
}

interface Summarising {
  readonly store: Pick<MediaFactsStore, 'setSummary'>
  readonly examiner: Pick<Examiner, 'summarise'>
  readonly memory: ReturnType<typeof createMemory>
  readonly find: KnownMedia['find']
}

/** What was looked at whole needs none. */
function createSummaries({ store, examiner, memory, find }: Summarising): KnownMedia['summarised'] {
  const flights = createSingleFlight<MediaFacts>()

  async function summarise(picture: ImageRecord, asking: Asking): Promise<MediaFacts> {
    const since = memory.moment()
    const facts = await find(picture, asking.signal, asking.priority)
    const summary = await examiner.summarise(picture, facts.header, asking)
    await store.setSummary(picture.sha256, summary)
    return memory.remember({ ...facts, summary }, since)
  }

  return async (picture, { priority, signal }) => {
    const facts = await find(picture, signal, priority)
    if (facts.summary ?? facts.analysis) return facts
    const work = (flight: AbortSignal) => summarise(picture, { priority, signal: flight })
    return (await flights.run(`${priority} ${picture.sha256}`, signal, work)).value
  }
}

interface Recalling {
  readonly store: Pick<MediaFactsStore, 'findAll'>
  readonly memory: ReturnType<typeof createMemory>
}

async function recall(sha256s: readonly string[], { store, memory }: Recalling): Promise<void> {
  const since = memory.moment()
  const unread = new Set(sha256s.filter((sha256) => memory.get(sha256) === undefined))
  for (const facts of (await store.findAll([...unread])).values()) memory.remember(facts, since)
}

/** What was found lately. */
function createMemory() {
  const cache = createS3FifoCache<MediaFacts>(memoryBytes)
  let forgotten = 0
  return {
    get: (sha256: string) => cache.get(sha256),
    /** To be taken before something is looked for. */
    moment: () => forgotten,
    /**
     * What was looked for before something was forgotten may be what was to be forgotten: it is kept no more
     * than what it would have taken the place of. What was read before pixels were looked at knows less than
     * what came of that, whichever is told later.
     */
    remember(facts: MediaFacts, since: number): MediaFacts {
      const { sha256 } = facts
      if (since !== forgotten) cache.delete(sha256)
      else if (facts.analysis || !cache.get(sha256)?.analysis) cache.set(sha256, facts, recordBytes)
      return facts
    },
    forget(sha256: string): void {
      forgotten += 1
      cache.delete(sha256)
    },
    forgetAll(): void {
      forgotten += 1
      cache.clear()
    },
  }
}
