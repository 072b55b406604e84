import { useId, useState } from 'react'

import { useChange } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'
import { humanBytes, humanMilliseconds, humanNumber } from '../parts/format.ts'
import { Button } from '../parts/forms/button.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { type Backup, restoreCommand, stateKinds, stateWord } from './backup.ts'

interface BackupCardProps {
  readonly backup: Backup
  readonly to: string
  readonly isBusy: boolean
}

const needs = { scope: 'backups:write' } as const

/** One backup: when, how much, whether it is whole, and how to put it back. */
export function BackupCard({ backup, to, isBusy }: BackupCardProps) {
  const id = useId()
  const [isDeleting, setDeleting] = useState(false)
  const [isRestoring, setRestoring] = useState(false)
  const { Id, State, DateStarted } = backup
  const verify = useChange('verifyBackup', { changes: ['listBackups'] })
  return (
    <section className="card" aria-labelledby={`${id} ${id}-name`}>
      <div className="card-head">
        <h2 id={id}>{DateStarted === null ? Id : <Moment time={DateStarted} />}</h2>
        <Badge kind={stateKinds[State]}>{stateWord(State)}</Badge>
      </div>
      <Facts backup={backup} nameId={`${id}-name`} />
      <div className="backup-actions">
        <Button
          icon="check"
          needs={needs}
          isBusy={isBusy || verify.isPending}
          onClick={() => verify.mutate({ id: Id }, { onError: (error) => toastFailure(error) })}
        >
          {t('Verify')}
        </Button>
        <Button
          icon={isRestoring ? 'up' : 'down'}
          aria-expanded={isRestoring}
          onClick={() => setRestoring(!isRestoring)}
        >
          {t('How to restore')}
        </Button>
        {DateStarted !== null && (
          <a className="button" href={`/api/core/backups/${Id}/manifest`} download={`${Id}.json`}>
            {t('Download manifest')}
          </a>
        )}
        <Button icon="trash" needs={needs} isBusy={isBusy} onClick={() => setDeleting(true)}>
          {t('Delete…')}
        </Button>
      </div>
      {isRestoring && <HowToRestore id={Id} to={to} />}
      <Deletion id={Id} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </section>
  )
}

interface FactsProps extends Pick<BackupCardProps, 'backup'> {
  /** Of the element that tells this backup from others of the same minute. */
  readonly nameId: string
}

function Facts({ backup, nameId }: FactsProps) {
  const { Id, Size, NewBytes, Files, Rows, Seconds, DateVerified, DamagedPieces, Missing } = backup
  return (
    <dl className="facts">
      <dt>{t('Size')}</dt>
      <dd>
        {t('{size}, {new} of it new', {
          size: humanBytes(Size ?? 0),
          new: humanBytes(NewBytes ?? 0),
        })}
      </dd>
      <dt>{t('Content')}</dt>
      <dd>
        {t('{files} files of the repository, {rows} rows', {
          files: humanNumber(Files ?? 0),
          rows: humanNumber(Rows ?? 0),
        })}
      </dd>
      <dt>{t('Took')}</dt>
      <dd>{humanMilliseconds((Seconds ?? 0) * 1000)}</dd>
      {DateVerified !== null && (
        <>
          <dt>{t('Verified')}</dt>
          <dd>
            <Moment time={DateVerified} />
            {DamagedPieces > 0 &&
              ` · ${plural(DamagedPieces, { one: '{count} piece is damaged', other: '{count} pieces are damaged' })}`}
          </dd>
        </>
      )}
      {Missing.length > 0 && (
        <>
          <dt>{t('Missing')}</dt>
          <dd>
            {plural(Missing.length, {
              one: '{count} large file was lost before',
              other: '{count} large files were lost before',
            })}
          </dd>
        </>
      )}
      <dt>{t('Id')}</dt>
      <dd>
        <code id={nameId}>{Id}</code>
      </dd>
    </dl>
  )
}

function HowToRestore({ id, to }: { readonly id: string; readonly to: string }) {
  const command = restoreCommand(to, id)
  return (
    <div className="stack card-more">
      <p>
        {t(
          'On a machine with Sedge and an empty directory. Everything is checked on the way; broken off, the same command goes on.',
        )}
      </p>
      <pre className="backup-command" tabIndex={0}>
        <code>{command}</code>
      </pre>
      <div>
        <CopyButton text={command} label={t('Copy the command')} />
      </div>
    </div>
  )
}

interface DeletionProps {
  readonly id: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

function Deletion({ id, isOpen, onClose }: DeletionProps) {
  const remove = useChange('deleteBackup', {
    changes: ['listBackups'],
    onSuccess: () => {
      toast(t('The backup is deleted.'))
      onClose()
    },
  })
  return (
    <TypedConfirmation
      title={t('Delete this backup?')}
      word={id}
      action={t('Delete the backup')}
      isOpen={isOpen}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p>{t('Its pieces go with it, but for those that other backups have too.')}</p>
    </TypedConfirmation>
  )
}
