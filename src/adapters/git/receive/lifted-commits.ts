import { setImmediate } from 'node:timers/promises'

import { UnfitPushError, type PushedUpdate } from '../../../ports/pushes/push-receiver.ts'
import { runGit } from '../objects/git-command.ts'
import { objectId } from '../objects/object-id.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { type PackedObject, packObject } from '../objects/pack-format.ts'
import { PackStore } from '../write/pack-store.ts'

interface Lifting {
  /** The repository that has the commits; it gets what is made of them. */
  readonly directory: string
  readonly update: PushedUpdate & { readonly formerId: string }
  /** Where the root of the commits is to be. */
  readonly path: string
  readonly maxCommits: number
}

/** Commits whose files are below a directory, and which commits they were before. */
export interface LiftedUpdate {
  readonly formerId: string
  readonly newId: string
  /** The commit that another one was made of. */
  originalOf(id: string): string
}

const lightestLevel = 1
const commitsPerTurn = 200
const separator = '\n\n'

/**
 * Makes commits that have in a directory what those of an update have at their root, so that everything that
 * judges and takes up whole commits reads them. Where the new commit does not lead on from the former one
 * along first parents, all of it is one commit.
 */
export async function liftCommits(lifting: Lifting): Promise<LiftedUpdate> {
  const { directory, update } = lifting
  const ids = await lineOf(lifting)
  await using reader = new ObjectReader(directory)
  const objects = new Map<string, PackedObject>()
  const originals = new Map<string, string>()
  let parentId: string | undefined
  for (const [place, id] of [update.formerId, ...ids].entries()) {
    if (place % commitsPerTurn === commitsPerTurn - 1) await setImmediate()
    const object = await reader.read(id)
    if (object?.kind !== 'commit') throw new UnfitPushError(`${id} is no commit`)
    const { body, trees } = lifted(object.body, { path: lifting.path, parentId })
    for (const tree of trees) objects.set(tree.id, tree)
    parentId = objectId('commit', body)
    objects.set(parentId, packObject({ id: parentId, kind: 'commit', body }, lightestLevel))
    originals.set(parentId, id)
  }
  await write(directory, [...objects.values()])
  const [formerId = '', ...later] = originals.keys()
  const originalOf = (id: string): string => originals.get(id) ?? id
  return { formerId, newId: later.at(-1) ?? formerId, originalOf }
}

/** The new commits, oldest first. */
async function lineOf({ directory, update, maxCommits }: Lifting): Promise<readonly string[]> {
  const { formerId, newId } = update
  const args = ['rev-list', '--first-parent', '--parents', '--reverse', `-n${maxCommits + 1}`]
  const output = await runGit(directory, [...args, '--end-of-options', `${formerId}..${newId}`])
  const commits = output
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '))
  if (commits.length > maxCommits)
    throw new UnfitPushError(`it has over ${maxCommits} commits; push some first`)
  const isLine = commits[0]?.[1] === formerId
  return isLine ? commits.map(([id = '']) => id) : [newId]
}

interface Place {
  readonly path: string
  readonly parentId: string | undefined
}

/** The commit with another tree and parent; all else that it says stays. */
function lifted(bytes: Uint8Array, { path, parentId }: Place) {
  const text = Buffer.from(bytes).toString('latin1')
  const end = text.indexOf(separator)
  const [tree = '', ...headers] = (end === -1 ? text : text.slice(0, end)).split('\n')
  const trees = treesAbove(tree.slice('tree '.length), path)
  const lines = [
    `tree ${trees.at(-1)?.id}`,
    ...(parentId === undefined ? [] : [`parent ${parentId}`]),
    ...headers.filter((line) => !line.startsWith('parent ')),
  ]
  const message = end === -1 ? '\n' : text.slice(end + 1)
  return { body: Buffer.from(`${lines.join('\n')}\n${message}`, 'latin1'), trees }
}

/** Directories that have nothing but the next one in them, the outermost last. */
function treesAbove(treeId: string, path: string): readonly PackedObject[] {
  const trees: PackedObject[] = []
  let innerId = treeId
  for (const name of path.split('/').toReversed()) {
    const body = Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(innerId, 'hex')])
    innerId = objectId('tree', body)
    trees.push(packObject({ id: innerId, kind: 'tree', body }, lightestLevel))
  }
  return trees
}

async function write(directory: string, objects: readonly PackedObject[]): Promise<void> {
  const packs = await PackStore.open(directory)
  try {
    await packs.install(await packs.write(objects))
  } finally {
    await packs[Symbol.asyncDispose]()
  }
}
