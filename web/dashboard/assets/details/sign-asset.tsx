import { useState } from 'react'

import { useChange } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { CopyButton } from '../../parts/feedback/copy-button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { SelectField } from '../../parts/forms/field.tsx'
import { humanTime } from '../../parts/format.ts'

interface SignAssetProps {
  readonly path: string
  readonly onClose: () => void
}

const usualLifetime = '3600'

const lifetimes = () => [
  { value: '600', label: t('10 minutes') },
  { value: usualLifetime, label: t('1 hour') },
  { value: '86400', label: t('1 day') },
  { value: '604800', label: t('7 days') },
]

/** Makes a URL that anybody may fetch for a while. */
export function SignAsset({ path, onClose }: SignAssetProps) {
  const [seconds, setSeconds] = useState(usualLifetime)
  const sign = useChange('signAsset', { changes: [] })
  return (
    <Dialog
      title={t('Signed URL')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Close')}</Button>
          <Button kind="primary" type="submit" form="sign-asset" isBusy={sign.isPending}>
            {t('Make the URL')}
          </Button>
        </>
      }
    >
      <form
        id="sign-asset"
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          sign.mutate({ body: { path, expiresInSeconds: Number(seconds) } })
        }}
      >
        <p className="fine-print">
          {t('Anybody who has it may fetch the file until it expires, private files too.')}
        </p>
        <SelectField
          label={t('Lifetime')}
          value={seconds}
          options={lifetimes()}
          onChange={({ target }) => {
            setSeconds(target.value)
            sign.reset()
          }}
        />
        {sign.isError && <Failure error={sign.error} />}
        <div role="status" className="stack">
          {sign.data && (
            <>
              <Signed url={sign.data.Url} />
              {sign.data.StreamUrl !== null && <Signed url={sign.data.StreamUrl} />}
              <p className="fine-print">
                {t('Good until {time}.', { time: humanTime(sign.data.ExpiresAt) })}
              </p>
            </>
          )}
        </div>
      </form>
    </Dialog>
  )
}

const Signed = ({ url }: { readonly url: string }) => (
  <div className="url">
    <code>{url}</code>
    <CopyButton text={url} />
  </div>
)
