import { useEffect, useState } from 'react'
import { t } from '../language/text.ts'

interface UploadNewsProps {
  /** 0..1 */
  readonly sentShare: number
  readonly timeLeft: string | undefined
  readonly state: 'sending' | 'paused' | 'offline' | 'done'
}

const steps = 4

/** Says by voice what changes the picture: each quarter, and not each percent. */
export function UploadNews({ sentShare, timeLeft, state }: UploadNewsProps) {
  const step = state === 'sending' ? Math.floor(sentShare * steps) : 0
  const [news, setNews] = useState('')
  useEffect(() => {
    setNews(newsOf({ step, timeLeft, state }))
    // What is left changes all the time, and is told with the next step.
  }, [step, state])
  return (
    <p role="status" className="said-only">
      {news}
    </p>
  )
}

function newsOf({ step, timeLeft, state }: Omit<UploadNewsProps, 'sentShare'> & { step: number }) {
  if (state === 'paused') return t('The uploads are held.')
  if (state === 'offline') return t('The uploads wait for the connection.')
  if (state === 'done') return t('Nothing is left to send.')
  if (step === 0) return t('The uploads are under way.')
  const percent = `${(step * 100) / steps} percent sent`
  return timeLeft === undefined ? percent : `${percent}, ${timeLeft}`
}
