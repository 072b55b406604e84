import type { ResponseOf } from '../../../src/client/types.ts'
import { plural, t } from '../language/text.ts'
import { Badge } from '../parts/inline.tsx'

type Tried = ResponseOf<'explainDraftRules'>['Redirects'][number]

const words: Readonly<Record<Tried['outcome'], string>> = {
  matched: 'applies',
  'path-differs': t('other path'),
  'condition-not-met': t('condition not met'),
  'target-invalid': t('no valid target'),
  'not-reached': t('not reached'),
}

interface TriedRulesProps {
  readonly title: string
  readonly rules: readonly Tried[]
}

/** Those that are for the URL, or nearly; those for others are behind a line that says how many. */
export function TriedRules({ title, rules }: TriedRulesProps) {
  const near = rules.filter(({ outcome }) => isNear(outcome))
  const others = rules.filter(({ outcome }) => !isNear(outcome))
  return (
    <div>
      <h3>{title}</h3>
      {near.length === 0 && <p className="fine-print">{t('No rule is for it.')}</p>}
      <List rules={near} />
      {others.length > 0 && (
        <details className="fine-print">
          <summary>
            {plural(others.length, {
              one: 'One rule for other URLs',
              other: '{count} rules for other URLs',
            })}
          </summary>
          <List rules={others} />
        </details>
      )}
    </div>
  )
}

const isNear = (outcome: Tried['outcome']): boolean =>
  outcome !== 'path-differs' && outcome !== 'not-reached'

const List = ({ rules }: { readonly rules: readonly Tried[] }) => (
  <ol className="entries">
    {rules.map(({ file, zone, line, text, outcome, overruled }) => (
      <li key={`${zone ?? ''} ${line}`}>
        <div>
          <code>{text}</code>
          <p className="fine-print">
            {t('{file}, line {line}, {zone}', {
              file,
              line,
              zone: zone === null ? t('all zones') : t('zone {zone}', { zone }),
            })}
          </p>
          {overruled.length > 0 && (
            <p className="fine-print">
              {t('Without effect here: {fields}. Rules of all zones decide it, or no zone may.', {
                fields: overruled.join(', '),
              })}
            </p>
          )}
        </div>
        <Badge kind={outcome === 'matched' ? 'good' : 'plain'}>{words[outcome]}</Badge>
      </li>
    ))}
  </ol>
)
