import { useState } from 'react'

import type { RulesOf } from './rule-files.ts'

interface Draft {
  readonly text: string
  /** What was saved when it was begun. */
  readonly base: string
}

interface Beginning {
  readonly saved: string
  /** A line that whoever came here would add. */
  readonly added?: string | undefined
}

const keyOf = ({ file, zone = '' }: RulesOf): string => `draft of ${zone}/${file}`

/** What is typed stays in the browser until it is saved or given up, whatever page is shown meanwhile. */
export function useDraft(rules: RulesOf, { saved, added = '' }: Beginning) {
  const [kept] = useState(() => draftIn(localStorage.getItem(keyOf(rules))))
  const [draft, setDraft] = useState(() => withLine(kept, { saved, added }))

  function change(text: string): void {
    const next = text === saved ? undefined : { text, base: draft?.base ?? saved }
    setDraft(next)
    keep(rules, next)
  }

  return {
    text: draft?.text ?? saved,
    change,
    /** It is what is saved from now on. */
    settle() {
      setDraft(undefined)
      keep(rules, undefined)
    },
    /** It was typed before the page was shown. */
    isKept: draft !== undefined && draft === kept,
    /** Somebody saved another text since it was begun. */
    isOutdated: draft !== undefined && draft.base !== saved,
  }
}

function withLine(
  draft: Draft | undefined,
  { saved, added }: Required<Beginning>,
): Draft | undefined {
  const { text, base } = draft ?? { text: saved, base: saved }
  if (added === undefined || added === '' || text.split('\n').includes(added)) return draft
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return { text: `${text}${end}${added}\n`, base }
}

function keep(rules: RulesOf, draft: Draft | undefined): void {
  try {
    if (draft === undefined) localStorage.removeItem(keyOf(rules))
    else localStorage.setItem(keyOf(rules), JSON.stringify(draft))
  } catch {
    // The browser has no room for it: then it lasts as long as the page.
  }
}

function draftIn(stored: string | null): Draft | undefined {
  if (stored === null) return undefined
  try {
    const { text, base } = JSON.parse(stored) as Partial<Draft>
    return typeof text === 'string' && typeof base === 'string' ? { text, base } : undefined
  } catch {
    return undefined
  }
}
