import { z } from 'zod'

import { repositoryPath } from '../../domain/content/asset-path.ts'
import type { StoredOrRefused } from '../../domain/content/files/put/put-each.ts'
import { errorCodes, invalid, type ServiceError } from '../../domain/errors.ts'
import { errorTable } from '../../http/response/error-table.ts'
import { toServiceError } from '../../http/response/envelopes.ts'
import { TarFault } from '../../lib/bytes/tar-blocks.ts'

const stored = z.object({
  Path: z.string(),
  Outcome: z.enum(['created', 'updated', 'unchanged']),
  Length: z.int().describe('Bytes'),
  Checksum: z.string().describe('The SHA-256 of what is stored, in hex'),
  Commit: z.string().nullable().describe('The commit that has these bytes there'),
})

const refused = z.object({
  Path: z.string().describe('As the archive has it, where it is no path of a file'),
  Outcome: z.literal('refused'),
  HttpCode: z.int().describe('The status that a request for this file alone would have had'),
  Code: z.enum(errorCodes),
  Message: z.string(),
})

const end = z.object({
  HttpCode: z.int().describe('200, or what a response would be that had not begun'),
  Message: z.string(),
  Code: z.enum(errorCodes).nullable().describe('Why the archive was not read to its end'),
  Created: z.int(),
  Updated: z.int(),
  Unchanged: z.int(),
  Refused: z.int(),
  Commits: z.array(z.string()).describe('Those that were made, the first first'),
})

/** A line for each file of a commit once it is durable, and one at the end. */
export const archiveLine = z.union([stored, refused, end])

type Results = AsyncGenerator<readonly StoredOrRefused[], void, undefined>

/** So much of a response waits for a client that sends before it reads. */
const maxUnreadBytes = 8 * 2 ** 20
const encoder = new TextEncoder()

/**
 * The lines of a response. What goes wrong before the first file is stored is thrown, so that the response can be a
 * refusal; what goes wrong later is said in the last line.
 */
export async function archiveLines(results: Results): Promise<ReadableStream<Uint8Array>> {
  const first = await results.next().catch(rethrown)
  const lines = linesOf(first, results)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await results.return()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
  )
}

async function* linesOf(
  first: Awaited<ReturnType<Results['next']>>,
  results: Results,
): AsyncGenerator<string, void, undefined> {
  const count = createCount()
  let fault: ServiceError | undefined
  try {
    for (let next = first; next.done !== true; next = await results.next()) {
      count.add(next.value)
      yield next.value.map(lineOf).join('')
    }
  } catch (thrown) {
    fault = faultOf(thrown)
  }
  yield textOf(count.end(fault))
}

function createCount() {
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 }
  const commits = new Set<string>()
  return {
    add(files: readonly StoredOrRefused[]): void {
      for (const file of files) {
        const outcome = 'refusal' in file ? 'refused' : file.outcome
        counts[outcome] += 1
        if (!('refusal' in file) && outcome !== 'unchanged' && file.commitId !== undefined)
          commits.add(file.commitId)
      }
    },
    end: (fault: ServiceError | undefined): z.input<typeof end> => ({
      HttpCode: fault === undefined ? 200 : errorTable[fault.code].status,
      Message: fault === undefined ? 'The archive was read to its end' : brokenOff(fault),
      Code: fault?.code ?? null,
      Created: counts.created,
      Updated: counts.updated,
      Unchanged: counts.unchanged,
      Refused: counts.refused,
      Commits: [...commits],
    }),
  }
}

const brokenOff = ({ message }: ServiceError): string =>
  `${message}; what is not among the lines before was not stored`

function lineOf(file: StoredOrRefused): string {
  if ('refusal' in file) {
    const { path, refusal } = file
    const { code, message } = refusal
    const HttpCode = errorTable[code].status
    return textOf({ Path: path, Outcome: 'refused', HttpCode, Code: code, Message: message })
  }
  const { path, outcome, sizeBytes, sha256, commitId } = file
  return textOf({
    Path: repositoryPath(path),
    Outcome: outcome,
    Length: sizeBytes,
    Checksum: sha256,
    Commit: commitId ?? null,
  })
}

const textOf = (line: z.input<typeof archiveLine>): string => `${JSON.stringify(line)}\n`

const faultOf = (thrown: unknown): ServiceError =>
  thrown instanceof TarFault ? invalid('body', thrown.message, thrown) : toServiceError(thrown)

function rethrown(thrown: unknown): never {
  throw thrown instanceof TarFault ? faultOf(thrown) : thrown
}
