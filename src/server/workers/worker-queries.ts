import { ServiceError, type ErrorCode } from '../../domain/errors.ts'
import type { FromWorker, QueryOutcome } from './worker-messages.ts'

/** What a worker wants to know that the main process alone can tell. Neither is for the server to know. */
export type Query = (query: unknown) => Promise<unknown>

interface Options {
  readonly send: (message: FromWorker) => void
  readonly withinMs: number
}

type Settle = (outcome: QueryOutcome) => void

/** The worker's end. A query rejects as it does in the main process, and where that says nothing in time. */
export function createWorkerQueries({ send, withinMs }: Options) {
  const pendingByTurn = new Map<number, Settle>()
  let sent = 0
  return {
    async query(query: unknown): Promise<unknown> {
      const turn = (sent += 1)
      const { promise, resolve } = Promise.withResolvers<QueryOutcome>()
      pendingByTurn.set(turn, resolve)
      const timer = setTimeout(() => resolve({ refusal: silent }), withinMs)
      try {
        send({ kind: 'query', turn, query })
        const outcome = await promise
        if ('refusal' in outcome) throw errorOf(outcome.refusal)
        return outcome.result
      } finally {
        clearTimeout(timer)
        pendingByTurn.delete(turn)
      }
    },
    settled: (turn: number, outcome: QueryOutcome) => pendingByTurn.get(turn)?.(outcome),
  }
}

/** The main process's end. Never rejects. */
export async function outcomeOf(
  query: unknown,
  { respond, onFault }: { readonly respond: Query; readonly onFault: (error: unknown) => void },
): Promise<QueryOutcome> {
  try {
    return { result: await respond(query) }
  } catch (error) {
    if (!(error instanceof ServiceError)) onFault(error)
    const { code, message } = error instanceof ServiceError ? error : silent
    return { refusal: { code, message } }
  }
}

const silent: { readonly code: ErrorCode; readonly message: string } = {
  code: 'Unavailable',
  message: 'The main process does not say',
}

const errorOf = ({ code, message }: typeof silent): ServiceError => new ServiceError(code, message)
