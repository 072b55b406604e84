import { parseAssetPath } from '../../domain/content/asset-path.ts'
import type { BatchItem } from '../../domain/content/files/files.ts'
import { invalid, ServiceError } from '../../domain/errors.ts'
import { LongString, parseJsonSkeleton } from '../../lib/bytes/json-skeleton.ts'
import { maxFileBytes } from './schemas.ts'

export const maxBatchFiles = 50
/** The whole request. */
export const maxBatchBytes = 128 * 2 ** 20

const maxDepth = 32
/** Contents from here on stay where they lie in the body until they are stored. */
const longContentBytes = 1024

interface Fault {
  readonly code: string
  readonly target: string
  readonly message: string
}

/**
 * Reads a batch (`{files: [{path, content, encoding?}]}`) and checks all of it; every fault is told at
 * once. Contents are decoded one at a time, when they are asked for.
 */
export function parseBatch(json: Uint8Array): readonly BatchItem[] {
  const files = parseFiles(json)
  const faults: Fault[] = []
  const items: BatchItem[] = []
  const indexesByPath = new Map<string, number>()
  for (const [index, file] of files.entries()) {
    const item = attempt(() => parseItem(file, index), faults)
    if (!item) continue
    const first = indexesByPath.get(item.path)
    if (first === undefined) indexesByPath.set(item.path, index)
    else faults.push(fault(`files[${index}].path`, `is the same as files[${first}].path`))
    items.push(item)
  }
  if (faults.length > 0)
    throw new ServiceError('InvalidParameter', `${faults[0]?.message}`, {
      target: faults[0]?.target ?? 'files',
      details: faults.map((each) => ({ ...each })),
    })
  return items
}

function parseFiles(json: Uint8Array): readonly unknown[] {
  const body = parseBody(json)
  const files = isRecord(body) ? body['files'] : undefined
  if (!Array.isArray(files)) throw invalid('files', 'must be an array of files')
  if (files.length < 1 || files.length > maxBatchFiles)
    throw invalid('files', `must hold 1 to ${maxBatchFiles} files, not ${files.length}`)
  return files
}

function parseBody(json: Uint8Array): unknown {
  try {
    return parseJsonSkeleton(json, { longerThan: longContentBytes, maxDepth })
  } catch (cause) {
    const why =
      cause instanceof RangeError ? `must nest at most ${maxDepth} levels deep` : 'must be JSON'
    throw invalid('body', why, cause)
  }
}

function parseItem(file: unknown, index: number): BatchItem {
  const at = `files[${index}]`
  if (!isRecord(file)) throw invalid(at, 'must be an object')
  const { path, content, encoding = 'base64' } = file
  if (typeof path !== 'string') throw invalid(`${at}.path`, 'must be a string')
  if (typeof content !== 'string' && !(content instanceof LongString))
    throw invalid(`${at}.content`, 'must be a string')
  if (encoding !== 'base64' && encoding !== 'utf-8')
    throw invalid(`${at}.encoding`, 'must be base64 or utf-8')
  const bytes = () => decode(content, encoding, `${at}.content`)
  const sizeBytes = bytes().length
  if (sizeBytes > maxFileBytes) throw tooLarge(`${at}.content`, sizeBytes)
  return { path: parseAssetPath(path, `${at}.path`), name: at, bytes }
}

function decode(
  content: string | LongString,
  encoding: 'base64' | 'utf-8',
  target: string,
): Uint8Array {
  try {
    const text = typeof content === 'string' ? content : content.text()
    return encoding === 'utf-8' ? new TextEncoder().encode(text) : Uint8Array.fromBase64(text)
  } catch (cause) {
    throw invalid(target, encoding === 'base64' ? 'must be base64' : 'must be a JSON string', cause)
  }
}

/** A fault of one file must not hide those of the others; a file that is too large ends it all. */
function attempt<T>(task: () => T, faults: Fault[]): T | undefined {
  try {
    return task()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'InvalidParameter') throw error
    faults.push({ code: error.code, target: error.target ?? 'files', message: error.message })
    return undefined
  }
}

const fault = (target: string, why: string): Fault => ({
  code: 'InvalidParameter',
  target,
  message: `${target} ${why}`,
})

const tooLarge = (target: string, sizeBytes: number) =>
  new ServiceError(
    'PayloadTooLarge',
    `${target} is ${sizeBytes} bytes, over the limit of ${maxFileBytes}`,
    {
      target,
      context: { MaxSize: maxFileBytes },
    },
  )

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
