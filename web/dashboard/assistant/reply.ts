import { refusalOf } from '../../../src/client/refusal.ts'
import { serverSentEvents } from '../../../src/client/server-sent-events.ts'
import { t } from '../language/text.ts'
import { actionsIn, type PreparedAction } from './actions/prepared-action.ts'

export interface Source {
  readonly title: string
  readonly url: string
}

/** What the assistant has said so far. */
export interface Reply {
  readonly text: string
  readonly sources: readonly Source[]
  readonly followUps: readonly string[]
  /** What it has prepared and somebody may confirm. */
  readonly actions: readonly PreparedAction[]
  readonly state: 'asking' | 'answering' | 'done' | 'stopped' | 'failed'
  readonly error?: unknown
}

/** What was said before, as the service takes it. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

interface Asked {
  readonly message: string
  readonly history: readonly Turn[]
  readonly signal: AbortSignal
}

export type Update = (change: (before: Reply) => Reply) => void

const longestReply = 20_000
const mostSources = 20
const mostFollowUps = 5

export const nothingYet: Reply = {
  text: '',
  sources: [],
  followUps: [],
  actions: [],
  state: 'asking',
}

/** Reads an answer as it comes; rejects where it is refused, or ends before it is whole. */
export async function askAssistant({ signal, ...body }: Asked, update: Update): Promise<void> {
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify(body),
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
  if (event === 'metadata')
    return {
      ...before,
      sources: sourcesIn(said['sources']),
      actions: actionsIn(listIn(said['actions'])),
    }
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
