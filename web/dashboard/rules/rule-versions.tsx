import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { hidden } from '../language/hidden-text.tsx'
import { t } from '../language/text.ts'
import { useAuthorName } from '../parts/author-name.ts'
import { Button } from '../parts/forms/button.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { queryOf, type RulesOf } from './rule-files.ts'
import { RuleVersion } from './rule-version.tsx'

type Version = ResponseOf<'listRuleVersions'>['Versions'][number]

interface RuleVersionsProps {
  readonly of: RulesOf
  readonly saved: string
  readonly onRestored: (text: string) => void
}

const shownAtFirst = 5

/** What the file said before, with the way back to it. */
export function RuleVersions({ of, saved, onRestored }: RuleVersionsProps) {
  const versions = useOperation('listRuleVersions', { ...queryOf(of), limit: 50 })
  const [opened, setOpened] = useState<string>()
  const [isLong, setLong] = useState(false)
  return (
    <section className="card">
      <h2>{t('Versions')}</h2>
      <QueryResult query={versions} label={t('The versions are loading')}>
        {({ Versions }) =>
          Versions.length === 0 ? (
            <p className="fine-print">{t('Nothing was saved yet.')}</p>
          ) : (
            <>
              <VersionList
                versions={isLong ? Versions : Versions.slice(0, shownAtFirst)}
                onOpen={setOpened}
              />
              {!isLong && Versions.length > shownAtFirst && (
                <Button kind="quiet" icon="down" onClick={() => setLong(true)}>
                  {t('Show {count} older', { count: Versions.length - shownAtFirst })}
                </Button>
              )}
            </>
          )
        }
      </QueryResult>
      {opened !== undefined && (
        <RuleVersion
          of={of}
          commit={opened}
          saved={saved}
          onRestored={onRestored}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  )
}

interface VersionListProps {
  readonly versions: readonly Version[]
  readonly onOpen: (commit: string) => void
}

function VersionList({ versions, onOpen }: VersionListProps) {
  const nameOf = useAuthorName()
  return (
    <ol className="entries">
      {versions.map(({ Commit, Author, DateCommitted, Change }, place) => (
        <li key={Commit}>
          <div>
            <p>
              <Moment time={DateCommitted} />{' '}
              {place === 0 && <Badge kind="good">{t('current')}</Badge>}
            </p>
            <p className="fine-print">
              {Change === 'deleted'
                ? t('{author}, {commit}, taken away', {
                    author: nameOf(Author),
                    commit: Commit.slice(0, 7),
                  })
                : t('{author}, {commit}', { author: nameOf(Author), commit: Commit.slice(0, 7) })}
            </p>
          </div>
          {place > 0 && (
            <Button kind="quiet" icon="compare" onClick={() => onOpen(Commit)}>
              {rich('Compare <hidden>{commit}</hidden>', {
                commit: Commit.slice(0, 7),
                hidden,
              })}
            </Button>
          )}
        </li>
      ))}
    </ol>
  )
}
