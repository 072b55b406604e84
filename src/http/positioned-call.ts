import type { Exchange } from './exchange.ts'
import type { Call, Endpoint, Reply } from './operation.ts'
import { positionField, positionHeaders, type Positions, requirePosition } from './position.ts'

interface Showing {
  readonly exchange: Exchange
  readonly positions: Positions | undefined
}

/** A read shows at least what was there when it began, and a write is shown from its end on. */
export async function handlePositioned(
  operation: Endpoint,
  call: Call,
  { exchange, positions }: Showing,
): Promise<Reply | Response> {
  if (positions === undefined) return await operation.handle(call)
  if (operation.answeredBy !== undefined) {
    requirePosition(exchange.request, positions)
    Object.assign(exchange.headers, positionHeaders(positions))
  }
  const reply = await operation.handle(call)
  if (operation.method !== 'get') exchange.headers[positionField] = String(positions.newest)
  return reply
}
