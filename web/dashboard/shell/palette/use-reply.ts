import { useEffect, useState } from 'react'

import { refusalOf } from '../../../../src/client/refusal.ts'
import { serverSentEvents } from '../../../../src/client/server-sent-events.ts'
import { t } from '../../language/text.ts'

export interface Source {
  readonly title: string
  readonly url: string
}

/** What the assistant has said so far. */
export interface Reply {
  readonly text: string
  readonly sources: readonly Source[]
  readonly followUps: readonly string[]
  readonly state: 'asking' | 'answering' | 'done' | 'failed'
  readonly error?: unknown
}

const longestReply = 20_000
const mostSources = 20
const mostFollowUps = 5
const nothingYet: Reply = { text: '', sources: [], followUps: [], state: 'asking' }

/** Asks the assistant; another question ends the former answer, and nothing of it is shown any more. */
export function useReply(question: string): Reply & { readonly retry: () => void } {
  const [reply, setReply] = useState(nothingYet)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const end = new AbortController()
    const update = (change: (before: Reply) => Reply) => {
      if (!end.signal.aborted) setReply(change)
    }
    setReply(nothingYet)
    ask(question, end.signal, update).catch((error: unknown) =>
      update((before) => ({ ...before, state: 'failed', error })),
    )
    return () => end.abort()
  }, [question, tries])
  return { ...reply, retry: () => setTries(tries + 1) }
}

type Update = (change: (before: Reply) => Reply) => void

async function ask(message: string, signal: AbortSignal, update: Update): Promise<void> {
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ message }),
    signal,
  })
  if (!response.ok) throw await refusalOf(response, Date.now)
  let isDone = false
  for await (const { event, data } of serverSentEvents(response.body)) {
    if (event === 'error') throw new Error(t('The answer could not be finished. Ask again.'))
    isDone ||= event === 'done'
    update((before) => withEvent(before, event, data))
  }
  if (!isDone) throw new Error(t('The answer could not be finished. Ask again.'))
}

function withEvent(before: Reply, event: string, data: unknown): Reply {
  const said = (data ?? {}) as Readonly<Record<string, unknown>>
  if (event === 'metadata') return { ...before, sources: sourcesIn(said['sources']) }
  if (event === 'token') {
    const text = (before.text + textIn(said['text'])).slice(0, longestReply)
    return { ...before, text, state: 'answering' }
  }
  if (event !== 'done') return before
  const followUps = listIn(said['followUps']).filter((each) => typeof each === 'string')
  return { ...before, followUps: followUps.slice(0, mostFollowUps), state: 'done' }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const sourcesIn = (value: unknown): readonly Source[] =>
  listIn(value)
    .slice(0, mostSources)
    .map((each) => {
      const { title, url } = (each ?? {}) as Readonly<Record<string, unknown>>
      return { title: textIn(title).slice(0, 300), url: textIn(url) }
    })
