import type { ReactNode } from 'react'

import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { humanMilliseconds } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { factName, factValue, type Part, partTexts } from './part-texts.ts'

/** How one part is, since when, and what to do. */
export function PartCard({ part }: { readonly part: Part }) {
  const { Name, State, Details, Facts, LatencyMs, DateSince, Documentation } = part
  const isWrong = State === 'degraded' || State === 'failing'
  return (
    <li className="card part" data-state={State}>
      <div className="spread">
        <h2>{partTexts[Name]}</h2>
        {badges[State]}
      </div>
      {Details.map((detail) => (
        <p key={detail} className="part-detail">
          <Icon name="alert" /> <span>{detail}</span>
        </p>
      ))}
      {Facts.length > 0 && (
        <dl className="facts">
          {Facts.map((fact) => (
            <div key={fact.Name} className="part-fact">
              <dt>{factName(fact, Name)}</dt>
              <dd>{factValue(fact, Name)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="fine-print part-foot">
        <span>{rich('since {time}', { time: <Moment time={DateSince} /> })}</span>
        {LatencyMs !== null && <span>{humanMilliseconds(LatencyMs)}</span>}
        {isWrong && (
          <a href={Documentation}>
            {t('What to do')}
            <span className="hidden-text"> {partTexts[Name]}</span>
          </a>
        )}
      </p>
    </li>
  )
}

const badges: Readonly<Record<Part['State'], ReactNode>> = {
  failing: <Badge kind="bad">{t('failing')}</Badge>,
  degraded: <Badge kind="warning">{t('degraded')}</Badge>,
  off: <Badge>{t('not set up')}</Badge>,
  healthy: <Badge kind="good">{t('healthy')}</Badge>,
}
