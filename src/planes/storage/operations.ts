import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { FileReader } from '../../domain/content/delivered/published-bytes.ts'
import type { Files } from '../../domain/content/files/files.ts'
import type { FileEdits } from '../../domain/content/files/file-edits.ts'
import type { SimilarAssets } from '../../domain/media/likeness/similar-assets.ts'
import type { HandledOperation } from '../../http/operation.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { Previewed } from '../previewed.ts'
import { changeFilesOperations } from './change-files.ts'
import { getFile } from './read-file.ts'
import { putArchive } from './write-archive.ts'
import { putFiles } from './write-batch.ts'
import { writeFileOperations } from './write-file.ts'

interface StorageVerbs {
  readonly catalog: Catalog
  readonly files: Files
  readonly fileEdits: FileEdits
}

type StorageDependencies = Previewed<StorageVerbs> & {
  readonly reader: FileReader
  readonly erased: Pick<Manifest, 'isErased'>
  readonly similarAssets: Pick<SimilarAssets, 'ofUpload'>
  readonly now: () => Date
}

export const storageOperations: readonly HandledOperation<StorageDependencies>[] = [
  getFile,
  ...writeFileOperations,
  putFiles,
  putArchive,
  ...changeFilesOperations,
]
