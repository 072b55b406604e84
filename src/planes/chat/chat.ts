import { z } from 'zod'

import type { Turn } from '../../domain/assistant/assistant.ts'
import { type Quota, refundAll, takeAll } from '../../domain/access/quotas/quota.ts'
import type { Replies, Reply } from '../../domain/assistant/replies.ts'
import { preferredMediaType } from '../../http/request/accept.ts'
import type { EventStreams } from '../../http/response/event-streams.ts'
import { isOperator, operation } from '../../http/operation.ts'
import { oneOf } from '../../http/request/query.ts'
import { baseUrlOf } from '../caller.ts'
import { actionFields, preparedAction } from './prepared-actions.ts'
import {
  aiSdkEvents,
  frameOf,
  namedEvents,
  type ReplyContext,
  type ReplyFormat,
  wireSources,
} from './reply-frames.ts'

export interface ChatDependencies {
  readonly chat: {
    readonly replies: Replies
    readonly quota: Quota
    /** What tokens for some zones may send in a month, by zone. */
    readonly quotaOf: (zone: string) => Quota
    readonly onFault: (error: unknown) => void
  }
  readonly eventStreams: EventStreams
  readonly baseUrl: string | undefined
}

const maxMessageLength = 4_000
const usedTurns = 10
/** No answer is longer; of a turn that is, the beginning counts. */
const maxTurnLength = 10_000
const maxBodyBytes = 512 * 1024

const message = z.object({
  message: z
    .string()
    .max(maxMessageLength)
    .refine((text) => text.trim() !== '', 'must say something')
    .describe('What to answer'),
  history: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }))
    .default([])
    .describe(`What was said before, oldest first; the last ${usedTurns} count`),
})

const source = z.object({ title: z.string(), url: z.string() })

const chatResponse = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  reply: z.string().describe('`[n]` stands for the nth of `sources`'),
  sources: z.array(source),
  confidence: z.enum(['high', 'medium', 'low']),
  source: z.enum(['model', 'extractive']).describe('Who wrote the answer'),
  degraded: z.boolean().describe('Whether a model that was to help did not'),
  remaining: z.int().describe('Messages that may still be sent this month'),
  followUps: z.array(z.string()).describe('What could be asked next'),
  actions: z
    .array(preparedAction)
    .optional()
    .describe('What was asked to be done, where it was: it is only prepared, and nothing is done'),
})

const chatEvents = {
  metadata: chatResponse.pick({
    sources: true,
    confidence: true,
    source: true,
    degraded: true,
    remaining: true,
    actions: true,
  }),
  token: z.object({ text: z.string() }),
  done: chatResponse.pick({ followUps: true, degraded: true }),
  error: z.object({ error: z.string() }),
}

/** `POST /api/chat`. */
export const chatOperation = operation({
  id: 'chat',
  plane: 'chat',
  method: 'post',
  path: '/api/chat',
  summary: 'Ask about the files and about this service',
  example: { body: { message: 'How many icons does acme have?' } },
  description:
    'Counts, lists and finds public files, makes URLs of images in other sizes and formats, and answers from the documentation; every source that is cited exists. What a message asks to be done (a purge, tags, a redirect) is prepared and never done: `actions` says it as what the interface takes, and it comes from the message alone, whatever files are called. Server-Sent Events: `metadata` (`sources`, `confidence`, `source`, `degraded`, `remaining`, `actions` where there are any), then `token` (`text`) as often as needed, then `done` (`followUps`), or `error`. With `Accept: application/json` one JSON object. 1,000 messages a month for everybody together, 20 a minute and 200 a day for each network (`GET /api/limits`).',
  access: 'public',
  envelope: 'flat',
  rateLimits: ['chat', 'chat-day'],
  query: z.object({
    format: oneOf(
      ['events', 'ai-sdk'],
      'How the events look: `ai-sdk` is the UI message stream of the AI SDK',
    ).default('events'),
  }),
  body: { kind: 'json', schema: message, maxBytes: maxBodyBytes },
  responses: {
    200: {
      description: 'The answer, as events; as JSON where `Accept` asks for it',
      schema: chatResponse,
      otherContentTypes: ['text/event-stream'],
      events: { ...chatEvents, message: z.looseObject({ type: z.string() }) },
    },
  },
}).handledBy(
  ({ chat, eventStreams, baseUrl }: ChatDependencies) =>
    async ({ body, query, request, caller, respond }) => {
      const user = { isOperator: isOperator(caller) }
      const quotas = [chat.quota, ...[...(caller.zones ?? [])].map(chat.quotaOf)] as const
      await takeAll(quotas, user)
      const remaining = await chat.quota.remaining(user)
      const context: ReplyContext = { base: baseUrlOf(request, baseUrl), remaining }
      const reply = await prepared(chat.replies, quotas, {
        message: body.message,
        history: body.history.slice(-usedTurns).map(cutTurn),
        zones: caller.zones,
      })
      if (wantsJson(request)) {
        const whole = await wholeReply(reply, context, request.signal)
        return respond(200, whole, { 'Cache-Control': 'no-store' })
      }
      const format = query.format === 'ai-sdk' ? aiSdkEvents : namedEvents
      const response = eventStreams.answer(request, (signal) =>
        framesOf(reply(signal), { format, context, onFault: chat.onFault }),
      )
      for (const [name, value] of Object.entries(format.headers)) response.headers.set(name, value)
      return response
    },
)

const cutTurn = ({ role, content }: Turn): Turn => ({
  role,
  content: content.slice(0, maxTurnLength),
})

/** What fails before anything is sent does not count. */
async function prepared(
  replies: Replies,
  quotas: readonly Quota[],
  conversation: Parameters<Replies['prepare']>[0],
): Promise<Reply> {
  try {
    return await replies.prepare(conversation)
  } catch (error) {
    await refundAll(quotas)
    throw error
  }
}

const wantsJson = ({ headers }: Request): boolean =>
  preferredMediaType(headers.get('accept'), ['text/event-stream', 'application/json']) ===
  'application/json'

interface Framing {
  readonly format: ReplyFormat
  readonly context: ReplyContext
  readonly onFault: (error: unknown) => void
}

async function* framesOf(
  events: ReturnType<Reply>,
  { format, context, onFault }: Framing,
): AsyncGenerator<string> {
  try {
    for await (const event of events) yield frameOf(format, event, context)
  } catch (error) {
    onFault(error)
    yield format.failure('the answer could not be finished; ask again')
  }
}

/** The reply to a client that wants it in one piece. */
async function wholeReply(
  reply: Reply,
  { base, remaining }: ReplyContext,
  signal: AbortSignal,
): Promise<ChatResponse> {
  const whole: ChatResponse = { ...emptyReply, remaining }
  for await (const event of reply(signal))
    if (event.kind === 'token') whole.reply += event.text
    else if (event.kind === 'done') {
      whole.followUps = [...event.followUps]
      whole.degraded = event.isDegraded
    } else {
      whole.sources = [...wireSources(event.sources, base)]
      whole.confidence = event.confidence
      whole.source = event.author
      Object.assign(whole, actionFields(event.actions))
    }
  return whole
}

type ChatResponse = z.infer<typeof chatResponse>

const emptyReply: Omit<ChatResponse, 'remaining'> = {
  HttpCode: 200,
  Message: 'Answered',
  reply: '',
  sources: [],
  confidence: 'low',
  source: 'extractive',
  followUps: [],
  degraded: false,
}
