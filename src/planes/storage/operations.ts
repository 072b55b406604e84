import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { FileReader } from '../../domain/content/delivered/file-reader.ts'
import type { Files } from '../../domain/content/files.ts'
import type { Operation } from '../../http/operation.ts'
import { readFileOperations } from './read-file.ts'
import { writeBatchOperation } from './write-batch.ts'
import { writeFileOperations } from './write-file.ts'

export interface StorageDependencies {
  readonly catalog: Catalog
  readonly files: Files
  readonly reader: FileReader
  readonly now: () => Date
}

export const storageOperations = (dependencies: StorageDependencies): readonly Operation[] => [
  ...readFileOperations(dependencies),
  ...writeFileOperations(dependencies),
  writeBatchOperation(dependencies),
]
