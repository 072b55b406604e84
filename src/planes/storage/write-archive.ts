import { z } from 'zod'

import { parseDirectoryPath } from '../../domain/content/asset-path.ts'
import type { Files } from '../../domain/content/files/files.ts'
import { ServiceError } from '../../domain/errors.ts'
import { operation } from '../../http/operation.ts'
import { actorOf } from '../caller.ts'
import { previewHeader, type Previewed, previewQuery, previewScope, verbsOf } from '../previewed.ts'
import { archiveFiles, checksumKeyword } from './archive-files.ts'
import { archiveLine, archiveLines } from './archive-results.ts'
import { createMakeRoom } from './make-room.ts'

interface Verbs {
  readonly files: Pick<Files, 'putEach'>
}

type Dependencies = Previewed<Verbs> & {
  /** How long an archive waits for room. */
  readonly archivePatienceMs?: number
}

/** More than anybody sends in one request; whoever has more sends another. */
const maxArchiveBytes = 8 * 2 ** 30
/** What an archive holds in memory at most: small files on their way to the disk, and lines that are not read yet. */
const heldBytes = 16 * 2 ** 20
/** Archives at once, of one caller. */
const archivesAtOnce = 4
/** Less than a client that is not read from is given. */
const defaultPatienceMs = 20_000

/** `POST /api/storage/archive`. */
export const putArchive = operation({
  id: 'putArchive',
  plane: 'storage',
  method: 'post',
  path: '/api/storage/archive',
  summary: 'Store the files of a tar archive',
  description: `Any number of files, as they come: \`tar c -C icons . | curl -T - -X POST …\`. They are committed together, up to 5,000 files or about 16 MiB in one commit, and the response has a line of JSON for each file once its commit is durable, and one at the end. A file that is refused keeps no other from being stored. An archive that breaks off leaves what its lines say, and nothing else; sent again, what is stored already makes no commit. Formats: ustar, pax and GNU, not compressed. Links and devices are refused, directories passed over. A pax record \`${checksumKeyword}\` says which SHA-256 a file has, so that one that arrives damaged is refused.`,
  access: { keys: ['access'], scope: 'storage:write', session: true, previewScope },
  envelope: 'standard',
  query: z.object({
    ...previewQuery,
    directory: z
      .string()
      .default('')
      .describe(
        'Where the files go, e.g. `acme/v1/icons`; without it the archive names them from the zone on',
      ),
  }),
  requestHeaders: previewHeader,
  body: {
    kind: 'bytes',
    maxBytes: maxArchiveBytes,
    description: 'The tar archive',
    contentType: 'application/x-tar',
  },
  responses: {
    200: {
      description: 'What became of each file',
      contentType: 'application/x-ndjson',
      lines: archiveLine,
    },
  },
}).handledBy(({ archivePatienceMs = defaultPatienceMs, ...verbs }: Dependencies) => {
  const makeRoom = createMakeRoom({
    largestBytes: archivesAtOnce * heldBytes,
    patienceMs: archivePatienceMs,
    refusal: 'Too many archives are being read; send fewer at a time',
  })
  return async ({ body, query, request, caller }) => {
    requireUncoded(request)
    const directory = parseDirectoryPath(query.directory, 'directory')
    const zone = directory === '' ? undefined : directory.split('/')[0]
    const { files } = await verbsOf<Verbs>(verbs, { request, caller, zone })
    const room = await makeRoom(caller, request, heldBytes)
    const results = files.putEach(archiveFiles(body, directory), actorOf(caller))
    return new Response(await archiveLines(holding(results, room)), {
      headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
    })
  }
})

/** Gives the room back when there is no more to come. */
async function* holding<T>(
  results: AsyncGenerator<T, void, undefined>,
  room: Disposable,
): AsyncGenerator<T, void, undefined> {
  using _room = room
  yield* results
}

function requireUncoded({ headers }: Request): void {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'identity')
    throw new ServiceError('UnsupportedMediaType', 'The archive must not be compressed', {
      target: 'Content-Encoding',
    })
}
