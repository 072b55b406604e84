import {
  type CloneExchange,
  CloneRequestError,
  type CloneSource,
} from '../../../ports/content/clone-source.ts'
import { streamGit } from '../objects/git-command.ts'
import { UploadPack } from '../remote/upload-pack.ts'
import { readZoneRequest } from './zone-requests.ts'

interface Dependencies {
  readonly directory: string
  /** Those of the ids that are commits of the zone's repository. */
  readonly known: (ids: readonly string[]) => Promise<ReadonlySet<string>>
}

const idLength = 40
const newline = 0x0a

/** Serves the repository of a zone, and of what it shares with the whole one nothing that is not in it. */
export class ZoneClones implements CloneSource {
  readonly #directory: string
  readonly #known: Dependencies['known']
  readonly #uploadPack: UploadPack

  constructor({ directory, known }: Dependencies) {
    this.#directory = directory
    this.#known = known
    this.#uploadPack = new UploadPack(directory)
  }

  advertise(exchange: CloneExchange): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#uploadPack.advertise(exchange)
  }

  /** What is wanted has to be in it. Of what the client has, git hears what is: not even that something is there. */
  async *respond(
    request: Uint8Array,
    exchange: CloneExchange,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const read = readZoneRequest(request)
    const known = await this.#known([...read.wanted, ...read.held])
    const missing = await this.#notWithin([...read.wanted].filter((id) => !known.has(id)))
    if (missing !== undefined)
      throw new CloneRequestError(`The repository of the zone has no object ${missing}`)
    yield* this.#uploadPack.respond(
      read.knowing((id) => known.has(id)),
      exchange,
    )
  }

  /** Files and directories of a partial clone are asked for by their ids. All that there is is gone through. */
  async #notWithin(ids: readonly string[]): Promise<string | undefined> {
    if (ids.length === 0) return undefined
    const missing = new Set(ids)
    for await (const id of objectIds(this.#directory)) {
      missing.delete(id)
      if (missing.size === 0) return undefined
    }
    return [...missing][0]
  }
}

async function* objectIds(directory: string): AsyncGenerator<string, void, undefined> {
  let unread: Buffer = Buffer.alloc(0)
  const args = ['rev-list', '--objects', '--no-object-names', 'refs/heads/main']
  for await (const chunk of streamGit(directory, args)) {
    const bytes = Buffer.concat([unread, chunk])
    let start = 0
    for (; bytes[start + idLength] === newline; start += idLength + 1)
      yield bytes.toString('latin1', start, start + idLength)
    unread = bytes.subarray(start)
  }
}
