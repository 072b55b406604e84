import { useState } from 'react'

import { useChange, useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { AreaField, TextField } from '../parts/forms/field.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { type ErasurePlan, targetOf } from './erasure.ts'
import { PlannedErasure } from './planned-erasure.tsx'

interface EraseForGoodProps {
  /** What the page was opened with: a path or a SHA-256, or nothing yet. */
  readonly given: string
  readonly onOrdered: (id: string) => void
  readonly onClose: () => void
}

/** First what would be gone, then why, then its name typed: there is no way back from it. */
export function EraseForGood({ given, onOrdered, onClose }: EraseForGoodProps) {
  const [wanted, setWanted] = useState(given)
  return (
    <Dialog title={t('Erase for good')} isOpen shape="wide" onClose={onClose}>
      {wanted === '' ? (
        <NameIt onName={setWanted} onClose={onClose} />
      ) : (
        <Order
          wanted={wanted}
          onOther={() => setWanted('')}
          onOrdered={onOrdered}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

interface NameItProps {
  readonly onName: (wanted: string) => void
  readonly onClose: () => void
}

function NameIt({ onName, onClose }: NameItProps) {
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onName(typed.trim().replace(/^\/+/u, ''))
      }}
    >
      <TextField
        label={t('Path or SHA-256')}
        value={typed}
        placeholder="acme/v1/portraits/ada.jpg"
        hint={t(
          'With a path all that it ever had is erased, under whatever other names it was stored too; with a SHA-256 these very bytes.',
        )}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" kind="primary" disabled={typed.trim() === ''}>
          {t('Show what would be erased')}
        </Button>
      </div>
    </form>
  )
}

interface OrderProps extends Pick<EraseForGoodProps, 'onOrdered' | 'onClose'> {
  readonly wanted: string
  readonly onOther: () => void
}

function Order({ wanted, onOther, onOrdered, onClose }: OrderProps) {
  const dry = useOperation('orderErasure', { body: { ...targetOf(wanted), DryRun: true } })
  const order = useChange('orderErasure', {
    changes: [
      'listErasures',
      'getErasure',
      'listAssets',
      'listZones',
      'getAssetMetadata',
      'getAssetHistory',
      'getZoneHistory',
      'getZoneDifferences',
    ],
    onSuccess: (ordered) => {
      if (!('Id' in ordered)) return
      toast(t('Nobody is given it any more. Each place says below when it has forgotten it.'))
      onOrdered(ordered.Id)
    },
  })
  return (
    <div className="stack">
      <QueryResult query={dry} label={t('What would be erased is looked for')}>
        {(plan) =>
          'DryRun' in plan ? (
            <Confirm
              wanted={wanted}
              plan={plan}
              isBusy={order.isPending}
              error={order.error}
              onConfirm={(Reason) =>
                order.mutate({ body: { ...targetOf(wanted), Reason, Confirm: wanted } })
              }
              onClose={onClose}
            />
          ) : null
        }
      </QueryResult>
      {dry.isError && (
        <div className="dialog-actions">
          <Button onClick={onOther}>{t('Name something else')}</Button>
        </div>
      )}
    </div>
  )
}

interface ConfirmProps {
  readonly wanted: string
  readonly plan: ErasurePlan
  readonly isBusy: boolean
  readonly error: unknown
  readonly onConfirm: (reason: string) => void
  readonly onClose: () => void
}

function Confirm({ wanted, plan, isBusy, error, onConfirm, onClose }: ConfirmProps) {
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const isReady = typed === wanted && reason.trim() !== ''
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isBusy) onConfirm(reason.trim())
      }}
    >
      <PlannedErasure plan={plan} />
      {error !== null && error !== undefined && <Failure error={error} />}
      <AreaField
        label={t('Reason')}
        value={reason}
        maxLength={1000}
        rows={2}
        hint={t(
          'It stays in the ledger and in the audit log. Do not write into it what is to be forgotten.',
        )}
        onChange={({ target }) => setReason(target.value)}
      />
      <TextField
        label={t('Type {wanted} to confirm', { wanted })}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" kind="danger" icon="eraser" disabled={!isReady} isBusy={isBusy}>
          {t('Erase for good')}
        </Button>
      </div>
    </form>
  )
}
