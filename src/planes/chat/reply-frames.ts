import type { ReplyEvent } from '../../domain/assistant/replies.ts'
import { actionFields, actionsJson } from './prepared-actions.ts'
import { eventFrame } from '../../http/response/event-streams.ts'

/** What is said with every answer besides what the assistant says. */
export interface ReplyContext {
  /** The service's own address, without a slash at its end. */
  readonly base: string
  /** Messages that may still be sent this month. */
  readonly remaining: number
}

export interface WireSource {
  readonly title: string
  readonly url: string
}

type EventOf<Kind extends ReplyEvent['kind']> = Extract<ReplyEvent, { readonly kind: Kind }>

/** A way to write an answer as Server-Sent Events. */
export interface ReplyFormat {
  readonly headers: Readonly<Record<string, string>>
  metadata(event: EventOf<'metadata'>, context: ReplyContext): string
  token(event: EventOf<'token'>): string
  done(event: EventOf<'done'>): string
  /** For an answer that cannot be finished. */
  failure(message: string): string
}

export function frameOf(format: ReplyFormat, event: ReplyEvent, context: ReplyContext): string {
  if (event.kind === 'metadata') return format.metadata(event, context)
  return event.kind === 'token' ? format.token(event) : format.done(event)
}

export const wireSources = (
  sources: readonly { readonly title: string; readonly url: string }[],
  base: string,
): readonly WireSource[] => sources.map(({ title, url }) => ({ title, url: `${base}${url}` }))

const about = ({ confidence, author, isDegraded }: EventOf<'metadata'>, remaining: number) => ({
  confidence,
  source: author,
  degraded: isDegraded,
  remaining,
})

/** `metadata`, `token` and so on to `done`. */
export const namedEvents: ReplyFormat = {
  headers: {},
  metadata: (event, { base, remaining }) =>
    eventFrame('metadata', {
      sources: wireSources(event.sources, base),
      ...about(event, remaining),
      ...actionFields(event.actions),
    }),
  token: ({ text }) => eventFrame('token', { text }),
  done: ({ followUps, isDegraded }) => eventFrame('done', { followUps, degraded: isDegraded }),
  failure: (message) => eventFrame('error', { error: message }),
}

const textId = '0'
const dataFrames = (...parts: readonly object[]): string =>
  parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')
const lastFrame = 'data: [DONE]\n\n'

/** The UI message stream of the AI SDK, version 1: `useChat` reads it unchanged. */
export const aiSdkEvents: ReplyFormat = {
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  metadata: (event, { base, remaining }) =>
    dataFrames(
      { type: 'start' },
      ...wireSources(event.sources, base).map((source, place) => ({
        type: 'source-url',
        sourceId: String(place + 1),
        ...source,
      })),
      { type: 'data-metadata', data: about(event, remaining) },
      ...(event.actions.length === 0
        ? []
        : [{ type: 'data-actions', data: actionsJson(event.actions) }]),
      { type: 'text-start', id: textId },
    ),
  token: ({ text }) => dataFrames({ type: 'text-delta', id: textId, delta: text }),
  done: ({ followUps }) =>
    dataFrames(
      { type: 'text-end', id: textId },
      { type: 'data-follow-ups', data: followUps },
      { type: 'finish' },
    ) + lastFrame,
  failure: (message) => dataFrames({ type: 'error', errorText: message }) + lastFrame,
}
