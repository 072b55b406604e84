import { useEffect, useState } from 'react'

import { t } from '../../language/text.ts'
import { Button } from '../forms/button.tsx'
import { toastFailure } from './toasts.tsx'

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
}

const shownMs = 2_000

export function CopyButton({ text, label = t('Copy') }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      toastFailure(new Error('The browser does not allow to copy here. Select the text instead.'))
    }
  }
  return (
    <Button kind="quiet" icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? t('Copied') : label}</span>
    </Button>
  )
}
