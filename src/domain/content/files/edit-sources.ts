import { flatMapInTurns } from '../../../lib/async/in-turns.ts'
import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { ContentStore, PathContent, Tree } from '../../../ports/content/content-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { type AssetPath, clientsDirectory, isAssetPath, repositoryPath } from '../asset-path.ts'
import { contentTypeOf } from '../media-type.ts'
import { type FileEdit, maxEditedFiles } from './file-edit.ts'

/** The files that an edit is about, as they are before it. */
export interface EditSource {
  readonly edit: FileEdit
  readonly isDirectory: boolean
  readonly files: readonly SourceFile[]
}

export interface SourceFile {
  readonly path: AssetPath
  readonly contentId: string
}

/** What is known of a file's content without reading it. */
export interface SourceContent {
  readonly blob: BlobRef
  /** Where somebody declared it; else the name says it. */
  readonly contentType: string | undefined
}

/** Thousands of files let requests be answered meanwhile. */
const filesPerTurn = 2_000

/** Refuses what is not there, a directory where a file is meant, and too many files. */
export async function sourceOf(tree: Tree, edit: FileEdit): Promise<EditSource> {
  const { from, fields } = edit
  const path = repositoryPath(from)
  const found = await tree.find(path)
  if (found?.kind === 'file') {
    if (edit.kind === 'delete' && edit.isDirectory) throw isFile(edit)
    return { edit, isDirectory: false, files: [{ path: from, contentId: found.contentId }] }
  }
  const below = found === undefined ? [] : await tree.filesBelow(path)
  const files = await flatMapInTurns(below, filesPerTurn, assetIn)
  if (files.length === 0) throw nothingAt(from, fields.from)
  if (edit.kind === 'delete' && !edit.isDirectory) throw isDirectory(edit)
  if (files.length > maxEditedFiles)
    throw invalid(
      fields.from,
      `holds ${files.length} files, and ${maxEditedFiles} can be changed at once; name directories in it`,
    )
  return { edit, isDirectory: true, files }
}

/** Placeholders keep a directory and stay in it; what is no asset belongs to somebody else. */
function assetIn({ path, contentId }: PathContent): SourceFile[] {
  const assetPath = path.slice(clientsDirectory.length + 1)
  return isAssetPath(assetPath) ? [{ path: assetPath, contentId }] : []
}

export interface Published extends Pick<Manifest, 'asset'> {
  /** The newest commit that `asset` shows. */
  commitId(): string | undefined
}

/**
 * What the catalogue says of files, where it shows these very contents; it may be some commits behind.
 * Of the others the repository has to be asked, which may have to read them.
 */
export function createContents({
  tree,
  content,
  published,
}: ContentDependencies): (file: SourceFile) => Promise<SourceContent> {
  const shownId = createShownIds(content)
  return async ({ path, contentId }) => {
    // Both are of one moment: of the next file they may be newer.
    const [commitId, record] = [published.commitId(), published.asset(path)]
    const contentType = record && declaredTypeOf(record)
    if (record && (await shownId(commitId, path)) === contentId)
      return { blob: { sha256: record.sha256, sizeBytes: record.sizeBytes }, contentType }
    return { blob: await blobAt(tree, path), contentType }
  }
}

interface ContentDependencies {
  readonly tree: Tree
  readonly content: Pick<ContentStore, 'at'>
  readonly published: Published
}

/** The id of the content that a commit has at a path; commits are asked for one after another. */
function createShownIds(content: Pick<ContentStore, 'at'>) {
  let last: { readonly commitId: string; readonly tree: Promise<Tree | undefined> } | undefined
  return async (commitId: string | undefined, path: AssetPath): Promise<string | undefined> => {
    if (commitId === undefined) return undefined
    if (last?.commitId !== commitId) last = { commitId, tree: content.at(commitId) }
    const found = await (await last.tree)?.find(repositoryPath(path))
    return found?.kind === 'file' ? found.contentId : undefined
  }
}

async function blobAt(tree: Tree, path: AssetPath): Promise<BlobRef> {
  const found = await tree.find(repositoryPath(path))
  if (found?.kind !== 'file') throw nothingAt(path, 'path')
  return found.blob()
}

const declaredTypeOf = ({ contentType, name }: AssetRecord): string | undefined =>
  contentType === contentTypeOf(name) ? undefined : contentType

const nothingAt = (path: AssetPath, target: string) =>
  new ServiceError('AssetNotFound', `No file at "${path}"`, { target })

const isDirectory = ({ fields }: FileEdit) =>
  invalid(fields.from, 'names a directory; end it with a slash to delete all that is below it')

const isFile = ({ from, fields }: FileEdit) =>
  new ServiceError('AssetNotFound', `No directory at "${from}": it is a file`, {
    target: fields.from,
  })
