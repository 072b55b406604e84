import { plural, t } from '../language/text.ts'
import { humanBytes } from '../parts/format.ts'
import { Badge, Moment } from '../parts/inline.tsx'
import { type BackupJob, type BackupsView, phaseWord } from './backup.ts'

/** Where backups go, when the next one is made, and what is under way. */
export function BackupPlan({ view }: { readonly view: BackupsView }) {
  const { To, EveryHours, Keep, HasSecrets, DateNext, IsOverdue, Running, LastEnded } = view
  const hasFailed = LastEnded !== null && LastEnded.Error !== null
  return (
    <section className="card" aria-label={t('Schedule')}>
      <div className="card-head">
        <h2>{t('Schedule')}</h2>
        {IsOverdue && <Badge kind="bad">{t('Overdue')}</Badge>}
      </div>
      <dl className="facts">
        <dt>{t('Target')}</dt>
        <dd>
          <code>{To}</code>
        </dd>
        <dt>{t('Next backup')}</dt>
        <dd>{DateNext === null ? t('Only when you start one') : <Moment time={DateNext} />}</dd>
        <dt>{t('How often')}</dt>
        <dd>
          {EveryHours === 0
            ? t('Never by itself')
            : plural(EveryHours, { one: 'Every hour', other: 'Every {count} hours' })}
        </dd>
        <dt>{t('Kept')}</dt>
        <dd>
          {t('The newest {newest}, the last of {days} days and of {weeks} weeks', {
            newest: Keep.Newest,
            days: Keep.Days,
            weeks: Keep.Weeks,
          })}
        </dd>
        <dt>{t('Keys')}</dt>
        <dd>
          {HasSecrets
            ? t('In the backup: whoever reads it has every key')
            : t('Not in the backup: keep keys.json somewhere else')}
        </dd>
      </dl>
      <div role="status">
        {Running !== null && <Progress job={Running} />}
        {Running === null && hasFailed && (
          <p className="note note-danger">
            {t('The last attempt failed: {reason}', { reason: LastEnded.Error ?? '' })}
          </p>
        )}
      </div>
    </section>
  )
}

function Progress({ job }: { readonly job: BackupJob }) {
  const { Phase, DoneBytes, ExpectedBytes } = job
  const isKnown = ExpectedBytes !== null && ExpectedBytes > 0
  return (
    <div className="backup-progress">
      <p>{t('{phase}: {size}', { phase: phaseWord(Phase), size: humanBytes(DoneBytes) })}</p>
      <progress
        aria-label={phaseWord(Phase)}
        {...(isKnown && { value: Math.min(DoneBytes, ExpectedBytes), max: ExpectedBytes })}
      />
    </div>
  )
}
