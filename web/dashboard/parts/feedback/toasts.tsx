import { useEffect, useRef, useSyncExternalStore } from 'react'

import { messageOf } from '../../api/client.ts'
import { t } from '../../language/text.ts'
import { Button, IconButton } from '../forms/button.tsx'
import { Icon } from '../icon.tsx'

export interface ToastAction {
  readonly label: string
  readonly run: () => void
}

interface Toast {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  readonly action: ToastAction | undefined
  /** Another way on, beside the first. */
  readonly also: ToastAction | undefined
}

/** Long enough to read it and to reach for its button. */
const lifeMs = { plain: 6_000, withAction: 20_000 }

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number): void => change(toasts.filter((toast) => toast.id !== id))

function show(toast: Omit<Toast, 'id'>): void {
  lastId += 1
  const id = lastId
  change([...toasts, { ...toast, id }].slice(-4))
  // What failed stays until it is read.
  if (toast.kind === 'failed') return
  setTimeout(() => dismiss(id), toast.action ? lifeMs.withAction : lifeMs.plain)
}

/** Says that something is done; with `action`, how to take it back; with `also`, where more is. */
export const toast = (text: string, action?: ToastAction, also?: ToastAction): void =>
  show({ kind: 'done', text, action, also })

/** Says that something that went on by itself failed. */
export const toastFailure = (error: unknown, action?: ToastAction): void =>
  show({ kind: 'failed', text: messageOf(error), action, also: undefined })

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Above everything, in a corner; read out as they come. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    // Whatever came to the top layer last is above what came before: a dialog, too.
    element.current?.hidePopover()
    if (shown.length > 0) element.current?.showPopover()
  }, [shown])
  return (
    <section
      ref={element}
      popover="manual"
      className="toasts"
      aria-label={t('Notices')}
      aria-live="polite"
    >
      {shown.map(({ id, kind, text, action, also }) => (
        <div key={id} className={`toast toast-${kind}`}>
          <Icon name={kind === 'done' ? 'check' : 'alert'} />
          <p>{text}</p>
          {[action, also].map(
            (each) =>
              each && (
                <Button
                  key={each.label}
                  kind="quiet"
                  onClick={() => {
                    dismiss(id)
                    each.run()
                  }}
                >
                  {each.label}
                </Button>
              ),
          )}
          <IconButton icon="close" label={t('Dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>
  )
}
