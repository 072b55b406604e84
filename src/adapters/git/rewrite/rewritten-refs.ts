import { runGit } from '../objects/git-command.ts'
import { objectId } from '../objects/object-id.ts'
import type { ObjectReader } from '../objects/object-reader.ts'
import { packObject } from '../objects/pack-format.ts'
import type { PackStore } from '../write/pack-store.ts'
import { rewrittenTag } from './commit-body.ts'

interface Dependencies {
  readonly repository: string
  readonly objects: Pick<ObjectReader, 'read'>
  readonly packs: Pick<PackStore, 'write' | 'install'>
}

export interface RefMove {
  readonly name: string
  readonly from: string
  readonly to: string
}

/** The refs that lead to commits of other ids by now. Tag objects are made anew. */
export async function movesOfRefs(
  newByFormer: ReadonlyMap<string, string>,
  needs: Dependencies,
): Promise<readonly RefMove[]> {
  const format = '--format=%(objectname) %(refname)'
  const output = await runGit(needs.repository, ['for-each-ref', format])
  const moves: RefMove[] = []
  for (const line of output.toString('latin1').split('\n').filter(Boolean)) {
    const [from, name] = [line.slice(0, 40), line.slice(41)]
    const to = await newIdOf(from, newByFormer, needs)
    if (to !== from) moves.push({ name, from, to })
  }
  return moves
}

async function newIdOf(
  id: string,
  newByFormer: ReadonlyMap<string, string>,
  needs: Dependencies,
): Promise<string> {
  const known = newByFormer.get(id)
  if (known !== undefined) return known
  const object = await needs.objects.read(id)
  if (object?.kind !== 'tag') return id
  const target = /^object ([0-9a-f]{40})/u.exec(object.body.toString('latin1'))?.[1] ?? ''
  const now = await newIdOf(target, newByFormer, needs)
  if (now === target) return id
  const body = rewrittenTag(object.body, () => now)
  const tag = packObject({ id: objectId('tag', body), kind: 'tag', body }, 1)
  await needs.packs.install(await needs.packs.write([tag]))
  return tag.id
}

/** All of them or none; each from where it was, so that nothing is lost that somebody else has put there. */
export async function moveRefs(repository: string, moves: readonly RefMove[]): Promise<void> {
  const lines = moves.map(({ name, from, to }) => `update ${name} ${to} ${from}\n`)
  if (lines.length === 0) return
  const input = new TextEncoder().encode(`start\n${lines.join('')}prepare\ncommit\n`)
  await runGit(repository, ['update-ref', '--no-deref', '--stdin'], input)
}
