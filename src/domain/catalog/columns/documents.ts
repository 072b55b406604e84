import { createTextTable } from '../../../lib/collections/text-table.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { grownTo } from '../../../lib/collections/grown-array.ts'
import { createPathParts, type PathParts } from './path-parts.ts'

/**
 * One document is one version of an asset, so an overwritten asset is a new document; only one that
 * stays where it is in every order is still the same. Its number is given anew once nothing that holds
 * documents has a place for it.
 */
export interface Documents {
  /** How many paths have one. */
  readonly size: number
  find(path: string): number | undefined
  /** By document. */
  readonly records: readonly AssetRecord[]
  /** By document: the numbers of its directory and its name. Replaced when they grow. */
  readonly directoryIds: Uint32Array
  readonly nameIds: Uint32Array
  readonly parts: PathParts
  /**
   * By document: the one that its path had before, if it came in that one's place. Holds as long as
   * somebody has a place for that one.
   */
  readonly formers: Uint32Array
  /** A document for `record`, whose path is in `directory` and must have no document but the removed `former`. */
  add(record: AssetRecord, directory: string, former?: number): number
  /** Another record of the same path, which has the same place in every order. */
  revise(document: number, record: AssetRecord): void
  /** From here on the path has no document; the number stays the document's until it is dropped. */
  remove(document: number): void
  /** One of the holders has no place for a removed document any more. */
  drop(document: number): void
}

/** `holderCount` is how often a document is dropped before its number is free. */
export function createDocuments(holderCount: number): Documents {
  const parts = createPathParts()
  const records: AssetRecord[] = []
  const documentByPath = createTextTable({ textOf: (document) => records[document]!.path })
  const freeDocuments: number[] = []
  let directoryIds = new Uint32Array(0)
  let nameIds = new Uint32Array(0)
  let formers = new Uint32Array(0)
  /** By document: how many have a place for it still. */
  let holders = new Uint8Array(0)

  return {
    get size() {
      return documentByPath.size
    },
    parts,
    records,
    get directoryIds() {
      return directoryIds
    },
    get nameIds() {
      return nameIds
    },
    get formers() {
      return formers
    },
    find: (path) => documentByPath.find(path),
    add(record, directory, former) {
      const document = freeDocuments.pop() ?? records.length
      formers = grownTo(formers, document + 1)
      formers[document] = former ?? document
      directoryIds = grownTo(directoryIds, document + 1)
      nameIds = grownTo(nameIds, document + 1)
      holders = grownTo(holders, document + 1)
      records[document] = record
      directoryIds[document] = parts.acquireDirectory(record, directory)
      nameIds[document] = parts.acquireName(record)
      holders[document] = holderCount
      documentByPath.add(record.path, document)
      return document
    },
    revise(document, record) {
      records[document] = record
    },
    remove(document) {
      documentByPath.delete(records[document]!.path)
      parts.names.release(nameIds[document]!)
      parts.directories.release(directoryIds[document]!)
    },
    drop(document) {
      holders[document]! -= 1
      if (holders[document] !== 0) return
      records[document] = noRecord
      freeDocuments.push(document)
    },
  }
}

/** Stands where a dropped document's record was, so that the record can be collected. */
const noRecord: AssetRecord = {
  path: '',
  zone: '',
  category: '',
  name: '',
  format: '',
  sizeBytes: 0,
  sha256: '',
  contentType: '',
  createdAt: new Date(0),
  changedAt: new Date(0),
  commitId: '',
}
