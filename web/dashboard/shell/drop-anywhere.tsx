import { useEffect, useRef, useState } from 'react'

import { t } from '../language/text.ts'
import { Icon } from '../parts/icon.tsx'
import { toastFailure } from '../parts/feedback/toasts.tsx'
import { goTo } from '../router.tsx'
import { droppedFiles } from '../upload/collect-files.ts'
import { waitingFiles } from '../upload/waiting-files.ts'

/**
 * Files may be dropped on any page: they wait on the page of uploads until somebody has seen where they go.
 * Without this the browser would leave the page to show the file.
 */
export function DropAnywhere() {
  const [isOver, setOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth.current += 1
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth.current -= 1
      if (depth.current <= 0) end()
    }
    const end = () => {
      depth.current = 0
      setOver(false)
    }
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      end()
      // A place of its own has taken them already.
      if (event.defaultPrevented || !hasFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      void take(event.dataTransfer)
    }
    const heard = { dragenter: enter, dragleave: leave, dragover: over, drop } as const
    for (const [name, listener] of Object.entries(heard))
      window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(heard))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [])
  if (!isOver || isUploadPage()) return null
  return (
    <div className="drop-anywhere" aria-hidden="true">
      <p>
        <Icon name="upload" /> {t('Drop to upload')}
      </p>
    </div>
  )
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true

const isUploadPage = (): boolean => location.pathname === '/dashboard/upload'

async function take(transfer: DataTransfer): Promise<void> {
  try {
    waitingFiles.add(await droppedFiles(transfer))
    const zone = new URLSearchParams(location.search).get('zone') ?? undefined
    if (!isUploadPage()) goTo('upload', { zone })
  } catch {
    toastFailure(new Error('The browser could not read what was dropped.'))
  }
}
