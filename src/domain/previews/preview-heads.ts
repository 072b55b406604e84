import type { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import type { Log } from '../../lib/log.ts'
import type { Commit, ContentStore } from '../../ports/content/content-store.ts'
import type { ContentLines } from '../../ports/previews/content-lines.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import type { PreviewKey, PreviewRecord } from '../../ports/records/preview.ts'
import type { LocalFeed } from '../feed.ts'
import { daysAfter, isExpired, previewNotFound } from './preview-access.ts'
import type { PreviewBook } from './preview-book.ts'
import { lineOf, previewLines, previewOfLine } from './preview-lines.ts'

/** Keeps what the rows say of previews and where their lines stand to each other. */
export interface PreviewHeads {
  /** Takes up what a line has and its row has not, sets lines that are missing, and then follows them all. */
  start(): Promise<void>
  /** Tries again what could not be recorded; removes previews whose time is over, and lines of none. */
  settle(): Promise<void>
}

interface Dependencies {
  readonly book: PreviewBook
  readonly lines: ContentLines
  readonly content: Pick<ContentStore, 'buildsOn'>
  readonly feed: Pick<LocalFeed, 'subscribe'>
  /** By zone: no line is forgotten while a preview of its name is made. */
  readonly turns: Pick<KeyedQueue, 'run'>
  /** So many days after its last change a preview expires where nothing else is said. */
  readonly days: number
  /** Told of commits before they are recorded. */
  readonly onCommits: (key: PreviewKey, commits: readonly Commit[]) => Promise<void>
  readonly now: () => Date
  readonly log: Pick<Log, 'info' | 'warn'>
}

export function createPreviewHeads(dependencies: Dependencies): PreviewHeads {
  const { book, lines, days, now, feed, turns, onCommits } = dependencies
  /** Lines whose rows could not be written. */
  const behind = new Set<string>()
  /** Lines whose previews have gone. */
  const left = new Set<string>()

  /** Once, after the commits are durable and before anybody is answered. */
  async function record(line: string, commits: readonly Commit[]): Promise<void> {
    const key = previewOfLine(line)
    const preview = key && book.get(key)
    if (preview === undefined) throw previewNotFound(key?.zone ?? '', key?.name ?? line)
    await onCommits(preview, commits)
    behind.add(line)
    const at = now()
    const moved = await book.change(
      preview,
      (current) => movedOn(current, commits, { at, days }),
      commits.flatMap(auditsOf),
    )
    behind.delete(line)
    if (moved === undefined) throw previewNotFound(preview.zone, preview.name)
  }

  async function settle(): Promise<void> {
    for (const line of behind) {
      const key = previewOfLine(line)
      const preview = key && book.get(key)
      if (preview !== undefined) await takeUp(preview, await lines.at(line).head(), dependencies)
      behind.delete(line)
    }
    for (const preview of book.all())
      if (isExpired(preview, now())) await book.remove(preview, { at: now(), audit: [] })
    for (const line of left) {
      const key = previewOfLine(line)
      await turns.run(key?.zone ?? line, async () => {
        if (key === undefined || book.get(key) === undefined) await lines.remove(line)
        left.delete(line)
      })
    }
  }

  return {
    async start() {
      await reconcile(dependencies)
      lines.follow(record)
      feed.subscribe((entries) => {
        for (const { event, zone, data } of entries)
          if (event === 'preview.updated' && data['removed'] === true && zone !== undefined)
            left.add(lineOf({ zone, name: String(data['name']) }))
      })
      book.onZoneRemoved((previews) => previews.forEach((each) => left.add(lineOf(each))))
    },
    settle,
  }
}

/** A kill comes between a line and its row at most once, and the line is ahead then. Else the row is right. */
async function reconcile(dependencies: Dependencies): Promise<void> {
  const { book, lines, log } = dependencies
  const heads = await lines.list(previewLines)
  const headByLine = new Map(heads.map(({ name, commitId }) => [name, commitId]))
  for (const preview of book.all()) {
    const line = lineOf(preview)
    const head = headByLine.get(line)
    headByLine.delete(line)
    if (head !== preview.headCommitId) await bringTogether(preview, head, dependencies)
  }
  for (const [line, commitId] of headByLine) {
    log.info('forgot the branch of a preview that is gone', { line, commitId })
    await lines.remove(line)
  }
}

async function bringTogether(
  preview: PreviewRecord,
  head: string | undefined,
  dependencies: Dependencies,
): Promise<void> {
  const { content, lines, log } = dependencies
  const { zone, name, headCommitId } = preview
  try {
    const isAhead = head !== undefined && (await content.buildsOn(head, headCommitId))
    if (isAhead) await takeUp(preview, head, dependencies)
    else await lines.reset(lineOf(preview), headCommitId)
  } catch (error) {
    log.warn('a preview has no commit in this repository', { zone, preview: name, error })
  }
}

async function takeUp(
  preview: PreviewRecord,
  headCommitId: string,
  { book, now }: Dependencies,
): Promise<void> {
  const at = now()
  await book.change(preview, (current) => ({ ...current, headCommitId, changedAt: at }), [])
}

/** What it is once these commits lead along it. One that merges live begins anew from there. */
function movedOn(
  current: PreviewRecord,
  commits: readonly Commit[],
  { at, days }: { readonly at: Date; readonly days: number },
): PreviewRecord {
  const merged = commits.findLast(({ request }) => request.mergedId !== undefined)
  return {
    ...current,
    baseCommitId: merged?.request.mergedId ?? current.baseCommitId,
    headCommitId: commits.at(-1)?.id ?? current.headCommitId,
    changedAt: at,
    expiresAt: current.hasOwnExpiry ? current.expiresAt : daysAfter(at, days),
  }
}

const auditsOf = ({ request }: Commit): readonly AuditRecord[] =>
  request.audit === undefined ? [] : [request.audit]
