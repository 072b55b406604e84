import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import { takeTurns } from '../../../lib/async/turns.ts'
import type { BlobReader } from '../objects/blob-reader.ts'
import type { Directory } from '../tree/directory.ts'
import type { SnapshotTree } from '../tree/snapshot-tree.ts'
import { attributesName, attributesText } from './attribute-lines.ts'
import { AttributeRules } from './attribute-rules.ts'
import { attributesIn, type AttributeSource } from './attribute-source.ts'
import type { FormedChange } from './put-forms.ts'

/** What a directory's attributes have to become; `undefined`: there are none to be. */
export interface AttributeEdit {
  readonly path: string
  readonly text: string | undefined
}

interface Dependencies {
  readonly attributes: AttributeSource
  readonly blobs: BlobReader
}

const pointersUnderWay = 16
/** Thousands of changes let requests be answered meanwhile. */
const changesPerTurn = 5_000

/** What the changes say of the files of one directory, by name. */
interface Wanted {
  readonly isLargeByName: Map<string, boolean>
  text: string | undefined
}

/**
 * The attributes that go with changes: a line for each large file, in the directory that holds it, and
 * none for any other. `tree` has the changes, but the attributes of before.
 */
export async function attributeEdits(
  tree: SnapshotTree,
  changes: readonly FormedChange[],
  needs: Dependencies,
): Promise<readonly AttributeEdit[]> {
  const edits: AttributeEdit[] = []
  for (const [path, wanted] of await wantedByDirectory(changes)) {
    const directory = await tree.directory(path)
    const edit =
      directory === undefined ? orphaned(wanted) : await editOf(directory, { wanted, needs })
    if (edit !== undefined)
      edits.push({ path: path === '' ? attributesName : `${path}/${attributesName}`, ...edit })
  }
  return edits
}

async function wantedByDirectory(
  changes: readonly FormedChange[],
): Promise<ReadonlyMap<string, Wanted>> {
  const all = new Map<string, Wanted>()
  const of = (directory: string): Wanted => {
    const known = all.get(directory) ?? { isLargeByName: new Map(), text: undefined }
    all.set(directory, known)
    return known
  }
  const turns = takeTurns(changesPerTurn)
  for (const change of changes) {
    await turns.after(1)
    if (change.kind === 'attributes') {
      of(change.directory).text = change.text
      continue
    }
    const path = change.kind === 'delete' ? change.path : change.put.path
    const slash = path.lastIndexOf('/')
    const wanted = of(path.slice(0, Math.max(0, slash)))
    wanted.isLargeByName.set(path.slice(slash + 1), change.kind === 'pointer')
  }
  return all
}

/** Attributes of others alone, where there is no file yet. */
const orphaned = ({ text }: Wanted) => (text ? { text: attributesText(text, []) } : undefined)

interface Scope {
  readonly wanted: Wanted
  readonly needs: Dependencies
}

async function editOf(
  directory: Directory,
  { wanted, needs }: Scope,
): Promise<{ readonly text: string | undefined } | undefined> {
  const former = await attributesIn(directory, needs.attributes)
  const added = [...wanted.isLargeByName].flatMap(([name, isLarge]) => (isLarge ? [name] : []))
  if (wanted.text === undefined && !changesAny(former, wanted)) return undefined
  const theirs = new AttributeRules(Buffer.from(wanted.text ?? ''))
  const candidates = new Set([...(former?.ownNames ?? []), ...theirs.ownNames, ...added])
  const names = await largeOf([...candidates], { directory, wanted, needs })
  const text = attributesText(wanted.text ?? former?.text ?? '', names)
  return { text: text === '' ? undefined : text }
}

const changesAny = (former: AttributeRules | undefined, { isLargeByName }: Wanted): boolean =>
  [...isLargeByName].some(([name, isLarge]) => (former?.hasOwn(name) ?? false) !== isLarge)

/** Of names that have lines, or are to have them, those that stand for large files. */
async function largeOf(
  names: readonly string[],
  { directory, wanted, needs }: Scope & { readonly directory: Directory },
): Promise<readonly string[]> {
  const checked = await mapConcurrently(names, pointersUnderWay, async (name) => {
    const entry = directory.find(name)
    if (entry?.kind !== 'file') return []
    const said = wanted.isLargeByName.get(name)
    // Lines of ours are right; those that others bring may be about anything.
    const isLarge = said ?? (wanted.text === undefined || (await isPointer(entry.id, needs)))
    return isLarge ? [name] : []
  })
  return checked.flat()
}

const isPointer = async (id: string, { blobs }: Dependencies): Promise<boolean> =>
  (await blobs.pointer(id)) !== undefined
