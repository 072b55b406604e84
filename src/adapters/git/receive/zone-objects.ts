import { runGit, streamGit } from '../objects/git-command.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { packObject, type PackedObject } from '../objects/pack-format.ts'
import type { PackStore } from '../write/pack-store.ts'
import type { Quarantine } from './quarantine.ts'

interface Pushed {
  readonly quarantine: Quarantine
  /** The directory of the zone's repository. */
  readonly zone: string
  readonly formerId: string
  readonly newId: string
}

const listObjects = ['rev-list', '--objects', '--no-object-names', '--end-of-options']

/**
 * An object that the new commit leads to and that neither came with it nor is in the zone's repository: what
 * is borrowed has those of all zones, and naming one would bring it to whoever clones this one.
 */
export async function foreignObject({
  quarantine,
  zone,
  formerId,
  newId,
}: Pushed): Promise<string | undefined> {
  const borrowed = new Set<string>()
  const range = [newId, `^${formerId}`, '--']
  for await (const id of idsFrom(streamGit(quarantine.directory, [...listObjects, ...range])))
    if (!quarantine.has(id)) borrowed.add(id)
  if (borrowed.size === 0) return undefined
  // Files that were there once are not sent again.
  for await (const id of idsFrom(streamGit(zone, [...listObjects, 'refs/heads/main', '--']))) {
    borrowed.delete(id)
    if (borrowed.size === 0) return undefined
  }
  return [...borrowed][0]
}

interface Bringing {
  /** The repository of a zone. */
  readonly from: string
  /** The whole repository, and its packs. */
  readonly to: string
  readonly packs: PackStore
}

const commitsPerPack = 2_000
const lightestLevel = 1

/** Gives the whole repository the commits that pushed ones build on; it has their trees and files. */
export async function bringCommits({ from, to, packs }: Bringing): Promise<void> {
  const missing = await missingCommits(from, to)
  await using reader = new ObjectReader(from)
  for (let start = 0; start < missing.length; start += commitsPerPack) {
    const ids = missing.slice(start, start + commitsPerPack)
    const objects: PackedObject[] = []
    for (const id of ids) {
      const object = await reader.read(id)
      if (object === undefined) throw new Error(`The repository of the zone has no commit ${id}`)
      objects.push(packObject({ id, kind: 'commit', body: object.body }, lightestLevel))
    }
    await packs.install(await packs.write(objects))
  }
}

async function missingCommits(from: string, to: string): Promise<readonly string[]> {
  const ids = await runGit(from, ['rev-list', '--reverse', 'refs/heads/main', '--'])
  if (ids.length === 0) return []
  const format = '--batch-check=%(objecttype)'
  const checked = await runGit(to, ['cat-file', '--buffer', format], new Uint8Array(ids))
  return checked
    .toString('latin1')
    .split('\n')
    .flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, line.indexOf(' '))] : []))
}

async function* idsFrom(
  output: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const chunk of output) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
