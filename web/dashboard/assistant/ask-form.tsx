import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

import { t } from '../language/text.ts'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { ask, type Exchange, isOnItsWay, stop } from './conversation.ts'

const longestQuestion = 4_000

interface AskFormProps {
  /** Another number each time somebody wants to write. */
  readonly wanted: number
  readonly exchanges: readonly Exchange[]
}

/** Where one writes: Enter asks, Enter with Shift begins another line. */
export function AskForm({ wanted, exchanges }: AskFormProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  // What is only there again after a reload takes the focus from nothing.
  useEffect(() => {
    if (wanted > 0) field.current?.focus()
  }, [wanted])
  const isBusy = exchanges.some(isOnItsWay)
  const send = () => {
    if (text.trim() === '') return
    setText('')
    void ask(text.trim())
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="assistant-form"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        className="input"
        rows={2}
        aria-label={t('Your question')}
        placeholder={t('Ask about files, or how something works')}
        maxLength={longestQuestion}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={press}
      />
      {isBusy ? (
        <Button icon="pause" onClick={stopAndWrite(field)}>
          {t('Stop')}
        </Button>
      ) : (
        <IconButton type="submit" icon="up" label={t('Send')} className="assistant-send" />
      )}
    </form>
  )
}

/** The button is gone with the answer; the field is where one goes on. */
const stopAndWrite = (field: { readonly current: HTMLElement | null }) => () => {
  stop()
  field.current?.focus()
}
