import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

import { plural, t } from '../../language/text.ts'
import { Icon } from '../../parts/icon.tsx'
import { IconButton } from '../../parts/forms/button.tsx'
import { goToHref } from '../../router.tsx'
import { Ask } from './ask.tsx'
import type { Entry } from './entry.ts'
import { keepRecent } from './recent.ts'
import { optionId, Results } from './results.tsx'
import { useEntries } from './use-entries.ts'

const longestTyped = 4_000
/** So many options further, as a page of a list. */
const pageSteps = 8

/** Finds pages, assets, actions and answers: a combobox whose list is always open (ARIA APG). */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element?.open === false) element.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('Search everything')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target }) => {
        if (target === dialog.current) onClose()
      }}
    >
      <Search onClose={onClose} />
    </dialog>
  )
}

/** What is looked for: with each letter from the first result on, and no longer what was asked. */
function useTyped() {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [question, setQuestion] = useState<string>()
  const change = (text: string, asked: string | undefined) => {
    setTyped(text)
    setActive(0)
    setQuestion(asked)
  }
  return {
    typed,
    active,
    setActive,
    question,
    type: (text: string) => change(text, undefined),
    ask: (text: string) => change(text, text),
  }
}

function Search({ onClose }: { readonly onClose: () => void }) {
  const list = useId()
  const { typed, active, setActive, question, type, ask } = useTyped()
  const { entries, isPending } = useEntries(typed)
  const place = Math.min(active, entries.length - 1)
  const choose = (entry: Entry, isBeside: boolean) => {
    if (entry.group === 'ask') ask(typed.trim())
    else open(entry, isBeside, onClose)
  }
  const press = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, place, entries.length)
    const entry = entries[place]
    if (event.key === 'Enter' && entry !== undefined) choose(entry, event.ctrlKey || event.metaKey)
    else if (next === undefined || question !== undefined) return
    else setActive(next)
    event.preventDefault()
  }
  return (
    <>
      <Head onClose={onClose}>
        <input
          role="combobox"
          aria-label={t('Search everything')}
          aria-expanded={question === undefined}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={question === undefined ? optionId(list, place) : undefined}
          placeholder={t('Search or ask')}
          autoComplete="off"
          spellCheck={false}
          maxLength={longestTyped}
          value={typed}
          onChange={({ target }) => type(target.value)}
          onKeyDown={press}
        />
      </Head>
      <p role="status" className="hidden-text">
        {question === undefined && typed !== '' && !isPending && countOf(entries)}
      </p>
      {question === undefined ? (
        <Results
          id={list}
          label={t('Results')}
          active={place}
          onPoint={setActive}
          onChoose={choose}
          entries={entries}
        />
      ) : (
        <Ask question={question} onAsk={ask} onClose={onClose} />
      )}
    </>
  )
}

interface HeadProps {
  readonly onClose: () => void
  /** The field. */
  readonly children: ReactNode
}

const Head = ({ onClose, children }: HeadProps) => (
  <div className="palette-head">
    <Icon name="search" />
    {children}
    <IconButton icon="close" label={t('Close')} onClick={onClose} />
  </div>
)

/** Goes there, or does it, and keeps it for the next time. */
function open(entry: Entry, isBeside: boolean, close: () => void): void {
  keepRecent(entry)
  if (isBeside && entry.href !== undefined) {
    window.open(entry.href, '_blank')
    return
  }
  close()
  if (entry.href === undefined) entry.run?.()
  else goToHref(entry.href)
}

const countOf = (entries: readonly Entry[]): string =>
  plural(entries.length, { one: '{count} result', other: '{count} results' })

/** Where a key leads in the list, which is a ring; the others are the field's own. */
function placeAfter(key: string, place: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (place + 1) % count
  if (key === 'ArrowUp') return (place - 1 + count) % count
  if (key === 'PageDown') return Math.min(place + pageSteps, count - 1)
  if (key === 'PageUp') return Math.max(place - pageSteps, 0)
  return undefined
}
