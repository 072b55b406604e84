import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { ObjectReader } from '../objects/object-reader.ts'
import type { Directory } from '../tree/directory.ts'
import { attributesName } from './attribute-lines.ts'
import { AttributeRules } from './attribute-rules.ts'

/** Where files of attributes come from, by the id of their blob. */
export interface AttributeSource {
  load(id: string): Promise<AttributeRules>
}

const maxBytes = 32 * 2 ** 20
const fixedBytes = 500

/** The attributes of the repository, the ones used last kept in memory. */
export class AttributeCache implements AttributeSource {
  readonly #objects: ObjectReader
  readonly #rulesById = new LruCache<AttributeRules>({
    maxWeight: maxBytes,
    weigh: ({ sizeBytes }) => 3 * sizeBytes + fixedBytes,
  })
  readonly #loads = createSingleFlight<AttributeRules>()

  constructor(objects: ObjectReader) {
    this.#objects = objects
  }

  async load(id: string): Promise<AttributeRules> {
    return this.#rulesById.get(id) ?? this.#loads.share(id, () => this.#read(id))
  }

  async #read(id: string): Promise<AttributeRules> {
    const object = await this.#objects.read(id)
    if (object?.kind !== 'blob') throw new Error(`The repository has no attributes ${id}`)
    const rules = new AttributeRules(object.body)
    this.#rulesById.set(id, rules)
    return rules
  }
}

/** Attributes that exist in memory alone, in front of those of the repository. */
export const withPendingAttributes = (
  pending: ReadonlyMap<string, AttributeRules>,
  source: AttributeSource,
): AttributeSource => ({
  load: async (id) => pending.get(id) ?? source.load(id),
})

/** The attributes that stand in a directory. */
export async function attributesIn(
  directory: Directory,
  source: AttributeSource,
): Promise<AttributeRules | undefined> {
  const id = attributesIdIn(directory)
  return id === undefined ? undefined : await source.load(id)
}

function attributesIdIn(directory: Directory): string | undefined {
  const entry = directory.findOften(attributesName)
  return entry?.kind === 'file' ? entry.id : undefined
}

interface Place {
  /** From the root down to the one that holds the file; those that are not there yet left out. */
  readonly directories: readonly Directory[]
  /** The path of the file, from the root. */
  readonly segments: readonly string[]
  readonly isOwnLeftOut?: boolean
}

/** Whether git would have Git LFS keep the file: what is said closest to it decides. */
export async function isKeptByLfs(
  { directories, segments, isOwnLeftOut = false }: Place,
  source: AttributeSource,
): Promise<boolean> {
  for (let depth = directories.length - 1; depth >= 0; depth -= 1) {
    const id = attributesIdIn(directories[depth]!)
    // Most directories have none, and this is asked of every file: nothing is awaited for those.
    if (id === undefined) continue
    const said = (await source.load(id)).decide(segments.slice(depth), { isOwnLeftOut })
    if (said !== undefined) return said
  }
  return false
}
