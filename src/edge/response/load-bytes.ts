import type { Freshness } from '../../http/response/cache-lifetimes.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { RuleBooks } from '../../domain/content/rules/books/rule-books.ts'
import { isCompressible } from '../../lib/text/compressible-types.ts'
import type { Codings } from '../codings/codings.ts'
import type { Route } from '../routing/decision.ts'
import { refusals, type Refusal } from '../routing/refusals.ts'
import { readBytes, type ByteSource } from './build-representation.ts'
import type { Bytes } from './representation.ts'
import { isToBeSanitised, sanitisedBytes, type Sanitise } from './sanitised-bytes.ts'

export interface LoadOptions extends ByteSource {
  readonly codings: Codings
  readonly freshness: Freshness
  readonly bookOf: RuleBooks
  readonly now: () => Date
  /** Absent where nobody is at hand who can: then what is to be sanitised is not sent. */
  readonly sanitise: Sanitise | undefined
}

/** The bytes to send for a URL. */
export interface Loaded {
  readonly bytes: Bytes
  /** Whether codings of them are made, and so may be sent instead. */
  readonly isWorthCoding: boolean
}

/** Sources up to this size are coded before the first answer, if nothing else waits: milliseconds. */
const maxAwaitedBytes = 32 * 1024

/**
 * Reads what a URL stands for. `undefined` where the bytes are not there; a refusal where they
 * must not be sent as they are and cannot be made safe.
 */
export async function loadBytes(
  route: Route,
  options: LoadOptions,
): Promise<Loaded | Refusal | undefined> {
  if (isToBeSanitised(route, options)) return await loadSanitised(route, options)
  const { record } = route.located
  const isWorthCoding = isCompressible(record.contentType)
  if (isWorthCoding) await startCoding(options.codings, record)
  const bytes = await readBytes(options, record)
  return bytes && { bytes, isWorthCoding }
}

async function loadSanitised(
  { located }: Route,
  { sanitise }: LoadOptions,
): Promise<Loaded | Refusal> {
  if (sanitise === undefined) return refusals.notSanitised
  try {
    return { bytes: await sanitisedBytes(sanitise, located.record), isWorthCoding: false }
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message }
    throw error
  }
}

async function startCoding(codings: Codings, record: AssetRecord): Promise<void> {
  const isQuick = record.sizeBytes <= maxAwaitedBytes && codings.waiting === 0
  const making = codings.make(record)
  if (isQuick) await making
}
