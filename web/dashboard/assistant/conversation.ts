import { useSyncExternalStore } from 'react'

import { askAssistant, nothingYet, type Reply, type Turn } from './reply.ts'

/** A question, and what came of it. */
export interface Exchange {
  readonly id: number
  readonly question: string
  readonly reply: Reply
  /** By place among its actions: what came of those that were confirmed. */
  readonly outcomes: Readonly<Record<number, string>>
}

const key = 'sedge-conversation'
const mostExchanges = 20
/** What goes along with a question; the service takes no more into account. */
const mostTurns = 10
const longestTurn = 10_000

let exchanges: readonly Exchange[] = kept()
let asking: AbortController | undefined
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The conversation of this tab: it lasts from page to page and over a reload. */
export const useConversation = (): readonly Exchange[] =>
  useSyncExternalStore(subscribe, () => exchanges)

function become(next: readonly Exchange[]): void {
  exchanges = next.slice(-mostExchanges)
  for (const listener of listeners) listener()
}

/** Asks, after what was asked before; what is still being answered is stopped. */
export async function ask(question: string): Promise<void> {
  stop()
  const current = new AbortController()
  asking = current
  const history = historyOf(exchanges)
  const id = nextId()
  become([...exchanges, { id, question, reply: nothingYet, outcomes: {} }])
  const update = (change: (before: Reply) => Reply) => {
    if (!current.signal.aborted)
      changeExchange(id, (each) => ({ ...each, reply: change(each.reply) }))
  }
  try {
    await askAssistant({ message: question, history, signal: current.signal }, update)
  } catch (error) {
    update((before) => ({ ...before, state: 'failed', error }))
  }
  keep()
}

/** Takes over what was asked elsewhere, with its answer. */
export function takeOver(question: string, reply: Reply): void {
  stop()
  become([...exchanges, { id: nextId(), question, reply, outcomes: {} }])
  keep()
}

export function askAgain({ id, question }: Exchange): void {
  become(exchanges.filter((each) => each.id !== id))
  void ask(question)
}

/** What has come so far stays. */
export function stop(): void {
  asking?.abort()
  asking = undefined
  become(
    exchanges.map((each) =>
      isOnItsWay(each) ? { ...each, reply: { ...each.reply, state: 'stopped' } } : each,
    ),
  )
}

export function beginAnew(): void {
  stop()
  become([])
  keep()
}

export function noteOutcome(id: number, place: number, outcome: string): void {
  changeExchange(id, (each) => ({ ...each, outcomes: { ...each.outcomes, [place]: outcome } }))
  keep()
}

export const isOnItsWay = ({ reply: { state } }: Exchange): boolean =>
  state === 'asking' || state === 'answering'

const nextId = (): number => (exchanges.at(-1)?.id ?? 0) + 1

const changeExchange = (id: number, change: (before: Exchange) => Exchange): void =>
  become(exchanges.map((each) => (each.id === id ? change(each) : each)))

const historyOf = (all: readonly Exchange[]): readonly Turn[] =>
  all
    .flatMap(({ question, reply }): Turn[] =>
      reply.text === ''
        ? []
        : [
            { role: 'user', content: question },
            { role: 'assistant', content: reply.text.slice(0, longestTurn) },
          ],
    )
    .slice(-mostTurns)

function keep(): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(exchanges.filter((each) => !isOnItsWay(each))))
  } catch {
    // The browser has no room for it: then it lasts as long as the page.
  }
}

function kept(): readonly Exchange[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? (stored as Exchange[]).filter(isWhole).slice(-mostExchanges) : []
  } catch {
    return []
  }
}

/** An error cannot be kept, so what failed is gone with the page. */
function isWhole({ question, reply }: Exchange): boolean {
  return (
    typeof question === 'string' &&
    typeof reply?.text === 'string' &&
    Array.isArray(reply.sources) &&
    Array.isArray(reply.actions) &&
    reply.state !== 'failed'
  )
}
