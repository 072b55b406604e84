import { useEffect, useState } from 'react'

import { t } from '../language/text.ts'
import { humanNumber } from '../parts/format.ts'
import type { UploadSums } from './upload-sums.ts'

const steps = 4

/** Says by voice what changes the picture: each quarter, and not each percent. */
export function UploadNews({ sentBytes, wholeBytes, timeLeft, state, count }: UploadSums) {
  const share = sentBytes / Math.max(1, wholeBytes)
  const step = state === 'sending' ? Math.floor(share * steps) : 0
  const failed = count('failed')
  const [news, setNews] = useState('')
  useEffect(() => {
    setNews(newsOf({ step, timeLeft, state, failed }))
    // What is left changes all the time, and is told with the next step.
  }, [step, state, failed])
  return (
    <p role="status" className="said-only">
      {news}
    </p>
  )
}

interface News extends Pick<UploadSums, 'timeLeft' | 'state'> {
  readonly step: number
  readonly failed: number
}

function newsOf({ step, timeLeft, state, failed }: News): string {
  if (state === 'paused') return t('The uploads are held.')
  if (state === 'offline') return t('The uploads wait for the connection.')
  if (state === 'done' && failed > 0)
    return t('Nothing is left to send; {count} failed.', { count: humanNumber(failed) })
  if (state === 'done') return t('Nothing is left to send.')
  if (step === 0) return t('The uploads are under way.')
  const percent = (step * 100) / steps
  return timeLeft === undefined
    ? t('{percent} percent sent', { percent })
    : t('{percent} percent sent, {timeLeft}', { percent, timeLeft })
}
