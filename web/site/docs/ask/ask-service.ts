import { serverSentEvents } from '../../../../src/client/server-sent-events.ts'

export interface Source {
  readonly title: string
  /** On this host. */
  readonly href: string
}

/** As much of an answer as has come. */
export interface Reply {
  readonly text: string
  readonly sources: readonly Source[]
  readonly followUps: readonly string[]
  /** Whether it is made of passages alone, because no model is set up or it did not help. */
  readonly isWordForWord: boolean
  readonly isDone: boolean
}

export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

interface Asked {
  readonly message: string
  readonly history: readonly Turn[]
  readonly signal: AbortSignal
}

const longestText = 20_000
const mostSources = 20
const mostFollowUps = 3
const notFinished = 'The answer could not be finished. Ask again.'

/** Asks `POST /api/chat`, which takes no key. Yields the answer as it grows; throws what can be shown. */
export async function* ask({ signal, ...body }: Asked): AsyncGenerator<Reply> {
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify(body),
    signal,
  })
  if (!response.ok) throw new Error(refusalText(response))
  let reply: Reply = {
    text: '',
    sources: [],
    followUps: [],
    isWordForWord: false,
    isDone: false,
  }
  for await (const { event, data } of serverSentEvents(response.body)) {
    if (event === 'error') throw new Error(notFinished)
    reply = withEvent(reply, event, (data ?? {}) as Said)
    yield reply
  }
  if (!reply.isDone) throw new Error(notFinished)
}

type Said = Readonly<Record<string, unknown>>

function withEvent(before: Reply, event: string, said: Said): Reply {
  if (event === 'metadata')
    return {
      ...before,
      sources: listIn(said['sources']).slice(0, mostSources).map(sourceOf),
      isWordForWord: said['source'] === 'extractive',
    }
  if (event === 'token')
    return { ...before, text: (before.text + textIn(said['text'])).slice(0, longestText) }
  if (event !== 'done') return before
  const followUps = listIn(said['followUps']).filter((each) => typeof each === 'string')
  return { ...before, followUps: followUps.slice(0, mostFollowUps), isDone: true }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function sourceOf(value: unknown): Source {
  const { title, url } = (value ?? {}) as Said
  return { title: textIn(title).slice(0, 300), href: pathOf(textIn(url)) }
}

/** Sources are of this service, by whatever name it is reached. */
function pathOf(url: string): string {
  const parsed = URL.parse(url, location.href)
  return parsed === null ? '/docs/' : parsed.pathname + parsed.search + parsed.hash
}

function refusalText({ status, headers }: Response): string {
  const seconds = Number(headers.get('retry-after'))
  if (status !== 429) return 'The question could not be answered. Ask again later.'
  if (!(seconds > 0)) return 'Too many questions were asked. Ask again later.'
  return seconds < 120
    ? `Too many questions were asked. Ask again in ${Math.ceil(seconds)} seconds.`
    : 'Too many questions were asked for today.'
}
