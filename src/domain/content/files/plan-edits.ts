import { takeTurns } from '../../../lib/async/turns.ts'
import type { Change, ContentStore, Put, Tree } from '../../../ports/content/content-store.ts'
import { invalid, ServiceError } from '../../errors.ts'
import {
  type AssetPath,
  fileNameOf,
  parseAssetPath,
  repositoryPath,
  zoneOf,
} from '../asset-path.ts'
import { contentTypeOf } from '../media-type.ts'
import { createMutualGuard, createZoneGuard, pathConflict } from '../write-guards.ts'
import { createConflictGuard } from './conflict-guard.ts'
import {
  createContents,
  type EditSource,
  type Published,
  type SourceContent,
  type SourceFile,
  sourceOf,
} from './edit-sources.ts'
import { type EditedFiles, type FileEdit, maxEditedFiles, type Relocation } from './file-edit.ts'
import { createFaults } from './edit-faults.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'
import {
  createSidecars,
  refuseUnfittingSidecars,
  type SidecarArrival,
  sidecarPut,
} from './sidecars.ts'

export interface EditPlan {
  readonly changes: readonly Change[]
  /** One for each edit, in their order. */
  readonly edited: readonly EditedFiles[]
  /** Where files are put. */
  readonly arrivals: readonly AssetPath[]
}

/** Thousands of files let requests be answered meanwhile. */
const filesPerTurn = 500

interface Dependencies {
  readonly content: Pick<ContentStore, 'at'>
  readonly published: Published
}

/**
 * What edits come to, all looked at as of the same tree: none sees what another does. Refuses all of them
 * where one cannot be, with a detail for each that cannot. Reads none of the files that it moves or copies.
 */
export async function planEdits(
  tree: Tree,
  edits: readonly FileEdit[],
  dependencies: Dependencies,
): Promise<EditPlan> {
  const sources = await checkedSources(tree, edits)
  const arrivals = await arrivalsOf(sources)
  const leaving = sources.filter(({ edit }) => edit.kind !== 'copy').flatMap(({ files }) => files)
  const overwritten = await checkArrivals(tree, arrivals, leaving)
  const contentOf = createContents({ tree, ...dependencies })
  const puts: Put[] = []
  const hasSidecar = createSidecars(tree)
  const deletes = await deletesOf([...leaving.map(({ path }) => path), ...overwritten], {
    hasSidecar,
    overwritten,
  })
  const described: SidecarArrival[] = []
  const turns = takeTurns(filesPerTurn)
  for (const { edit, file, to } of arrivals) {
    await turns.after(1)
    puts.push(putOf(to, file, await contentOf(file)))
    if (await hasSidecar(file.path)) described.push({ from: file.path, to, field: edit.fields.to })
  }
  const faults = createFaults(edits.length)
  await refuseUnfittingSidecars(tree, described, { deletes, faults })
  for (const { from, to } of described) {
    await turns.after(1)
    puts.push(await sidecarPut(tree, from, to))
  }
  return {
    changes: [...deletes, ...puts],
    edited: sources.map(editedOf),
    arrivals: arrivals.map(({ to }) => to),
  }
}

async function checkedSources(tree: Tree, edits: readonly FileEdit[]): Promise<EditSource[]> {
  const faults = createFaults(edits.length)
  const sources: EditSource[] = []
  const writable = createZoneGuard(tree)
  const leaving = new Set<string>()
  let fileCount = 0
  for (const edit of edits)
    await faults.noting(edit.fields.from, async () => {
      await writable(zoneOf(edit.from))
      if (edit.kind !== 'delete') await writable(zoneOf(edit.to))
      const source = await sourceOf(tree, edit)
      await requirePrecondition(tree, source)
      if (edit.kind !== 'copy') takeOnce(source, leaving)
      fileCount += source.files.length
      sources.push(source)
    })
  faults.throwAny()
  if (fileCount > maxEditedFiles)
    throw invalid(
      edits[0]?.fields.from ?? 'path',
      `and the others hold ${fileCount} files, and ${maxEditedFiles} can be changed at once`,
    )
  return sources
}

async function requirePrecondition(tree: Tree, { edit, isDirectory }: EditSource): Promise<void> {
  if (edit.precondition === undefined) return
  const found = isDirectory ? undefined : await tree.find(repositoryPath(edit.from))
  const sha256 = found?.kind === 'file' ? (await found.blob()).sha256 : undefined
  if (!edit.precondition(sha256))
    throw new ServiceError('PreconditionFailed', 'The stored file is not the one the request names')
}

/** What leaves by two edits of one request would be in two places, or nowhere. */
function takeOnce({ edit, files }: EditSource, leaving: Set<string>): void {
  for (const { path } of files)
    if (leaving.has(path)) throw invalid(edit.fields.from, `names "${path}" a second time`)
  for (const { path } of files) leaving.add(path)
}

interface Arrival {
  readonly edit: Relocation
  readonly file: SourceFile
  readonly to: AssetPath
}

async function arrivalsOf(sources: readonly EditSource[]): Promise<readonly Arrival[]> {
  const arrivals: Arrival[] = []
  const turns = takeTurns(filesPerTurn)
  for (const { edit, isDirectory, files } of sources) {
    if (edit.kind === 'delete') continue
    requireApart(edit)
    for (const file of files) {
      const to = isDirectory ? `${edit.to}${file.path.slice(edit.from.length)}` : edit.to
      arrivals.push({ edit, file, to: parseAssetPath(to, edit.fields.to) })
      await turns.after(1)
    }
  }
  return arrivals
}

function requireApart({ from, to, fields }: Relocation): void {
  if (to === from) throw invalid(fields.to, 'must be another path than the one to begin with')
  if (to.startsWith(`${from}/`)) throw invalid(fields.to, `must not lie below "${from}"`)
}

/** Answers the paths that are taken and may be overwritten. */
async function checkArrivals(
  tree: Tree,
  arrivals: readonly Arrival[],
  leaving: readonly SourceFile[],
): Promise<ReadonlySet<AssetPath>> {
  const vacated = new Set(leaving.map(({ path }) => repositoryPath(path)))
  const isTaken = createConflictGuard(tree, vacated)
  const refuseBeside = createMutualGuard(arrivals.map(({ to }) => to))
  const faults = createFaults(new Set(arrivals.map(({ edit }) => edit)).size)
  const overwritten = new Set<AssetPath>()
  const seen = new Set<string>()
  const turns = takeTurns(filesPerTurn)
  for (const { edit, to } of arrivals) {
    await turns.after(1)
    await faults.noting(edit.fields.to, async () => {
      if (seen.has(to)) throw pathConflict(to, 'would be put twice')
      seen.add(to)
      refuseBeside(to)
      if (!(await isTaken(to))) return
      if (!edit.overwrite) throw pathConflict(to, 'is stored already; Overwrite lets it go')
      overwritten.add(to)
    })
  }
  faults.throwAny()
  return overwritten
}

interface Leaving {
  readonly hasSidecar: (path: AssetPath) => Promise<boolean>
  /** Its file is put anew, so that only what was known of it goes. */
  readonly overwritten: ReadonlySet<AssetPath>
}

async function deletesOf(
  paths: readonly AssetPath[],
  { hasSidecar, overwritten }: Leaving,
): Promise<Change[]> {
  const deletes: Change[] = []
  const turns = takeTurns(filesPerTurn)
  for (const path of paths) {
    await turns.after(1)
    if (!overwritten.has(path)) deletes.push({ kind: 'delete', path: repositoryPath(path) })
    if (await hasSidecar(path)) deletes.push({ kind: 'delete', path: sidecarPath(path) })
  }
  return deletes
}

function putOf(
  to: AssetPath,
  { contentId }: SourceFile,
  { blob, contentType }: SourceContent,
): Put {
  const content = { id: contentId, from: 'stored' } as const
  const put: Put = { kind: 'put', path: repositoryPath(to), blob, content }
  const isSaid = contentType === undefined || contentType === contentTypeOf(fileNameOf(to))
  return isSaid ? put : { ...put, contentType }
}

const editedOf = ({ edit, isDirectory, files }: EditSource): EditedFiles => ({
  from: edit.from,
  to: edit.kind === 'delete' ? undefined : edit.to,
  isDirectory,
  fileCount: files.length,
})
