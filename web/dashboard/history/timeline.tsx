import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'

import { usePages } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { locale } from '../language/language.ts'
import { t } from '../language/text.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Loading } from '../parts/feedback/query-result.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { useAuthorName } from '../parts/author-name.ts'
import type { Search } from '../page-parameters.ts'
import { Link, useSearch } from '../router.tsx'
import { CommitRow } from './commit-row.tsx'
import type { Moment } from './difference.tsx'
import { Marked } from './marked.tsx'
import { RestoreZone } from './restore-zone.tsx'
import { endOfDay } from './narrowing.ts'
import { TimelineFilters } from './timeline-filters.tsx'
import { useLiveHistory } from './use-live-history.ts'

const perPage = 20

/** The commits of a zone, newest first, as far back as somebody scrolls. */
export function Timeline({ zone }: { readonly zone: string }) {
  const [search, change] = useSearch()
  const { path, with: marked } = search
  const [restored, setRestored] = useState<Moment>()
  const nameOf = useAuthorName()
  useLiveHistory()
  const history = usePages('getZoneHistory', wantedCommits(zone, search), { cursor: 'before' })
  const commits = history.data?.pages.flatMap(({ Commits }) => Commits) ?? []
  return (
    <div className="stack">
      <TimelineFilters authors={commits.map(({ Author }) => Author)} nameOf={nameOf} />
      {commits.length === 0 && <NoCommits zone={zone} history={history} />}
      <div className="timeline" onKeyDown={moveAmongCommits}>
        <Days
          commits={commits}
          row={(commit) => (
            <CommitRow
              key={commit.Commit}
              zone={zone}
              commit={commit}
              author={nameOf(commit.Author)}
              path={path}
              marked={marked}
              onMark={(id) => change({ with: id }, { replaces: true })}
              onRestore={setRestored}
            />
          )}
        />
        <LoadMore query={history}>{t('Show older commits')}</LoadMore>
      </div>
      {marked !== undefined && (
        <Marked zone={zone} commit={commits.find(({ Commit }) => Commit === marked)} id={marked} />
      )}
      {restored && (
        <RestoreZone
          zone={zone}
          commit={restored.Commit}
          prefix={path}
          onClose={() => setRestored(undefined)}
        />
      )}
    </div>
  )
}

const wantedCommits = (id: string, { path, author, time }: Search) => ({
  id,
  limit: perPage,
  ...(path !== undefined && { path }),
  ...(author !== undefined && { author }),
  ...(time !== undefined && { time: endOfDay(time) }),
})

interface DaysProps {
  readonly commits: readonly Moment[]
  readonly row: (commit: Moment) => ReactNode
}

const Days = ({ commits, row }: DaysProps) =>
  daysOf(commits).map(({ day, commits: some }) => (
    <section key={day} aria-label={day}>
      <h2>{day}</h2>
      <ol>{some.map(row)}</ol>
    </section>
  ))

interface NoCommitsProps {
  readonly zone: string
  readonly history: Pick<
    UseInfiniteQueryResult,
    'isPending' | 'isError' | 'error' | 'refetch' | 'hasNextPage'
  >
}

/** Why none is shown: not yet, not at all, or none that is like this. */
function NoCommits({ zone, history }: NoCommitsProps) {
  if (history.isPending) return <Loading label={t('The history is loading')} />
  if (history.isError)
    return <Failure error={history.error} onRetry={() => void history.refetch()} />
  return history.hasNextPage ? null : <NothingThere zone={zone} />
}

function NothingThere({ zone }: { readonly zone: string }) {
  return (
    <EmptyState icon="history" title={t('No commit is like this')}>
      <p>
        {rich(
          'Nothing of {zone} was changed there, by them, or so long ago. <link>Show all of its history</link>',
          {
            zone,
            link: (text) => (
              <Link page="history" search={{ zone }}>
                {text}
              </Link>
            ),
          },
        )}
      </p>
    </EmptyState>
  )
}

const days = new Intl.DateTimeFormat(locale(), { dateStyle: 'full' })

interface Day {
  readonly day: string
  readonly commits: Moment[]
}

/** Commits by the day of whoever looks at them. */
function daysOf(commits: readonly Moment[]): readonly Day[] {
  const found: Day[] = []
  for (const commit of commits) {
    const day = days.format(new Date(commit.DateCommitted))
    const last = found.at(-1)
    if (last?.day === day) last.commits.push(commit)
    else found.push({ day, commits: [commit] })
  }
  return found
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** Arrows go from commit to commit; Enter shows what it changed. */
function moveAmongCommits(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.commit')]
  const current = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[current + step]
  if (current < 0 || next === undefined) return
  event.preventDefault()
  next.querySelector<HTMLElement>('.commit-title')?.focus()
  next.scrollIntoView({ block: 'nearest' })
}
