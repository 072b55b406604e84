import type { AssetRecord } from '../../../ports/records/asset.ts'
import { grownTo } from '../../../lib/collections/grown-array.ts'
import { createTextDictionary, type TextDictionary } from './text-dictionary.ts'

interface DirectoryFacts {
  readonly path: string
  readonly zone: string
  readonly category: string
}

/** The directories and the names that paths are made of, and what each says of the assets it is in. */
export interface PathParts {
  readonly directories: TextDictionary
  readonly names: TextDictionary
  /** By directory. */
  readonly directoryFacts: readonly DirectoryFacts[]
  /** By name: the number of its format. Replaced when it grows. */
  readonly formatIds: Uint32Array
  /** Formats keep their numbers: there are few. */
  readonly formatIdByText: ReadonlyMap<string, number>
  /** The numbers of the asset's directory and name, which have one more user from now on. */
  acquireDirectory(record: AssetRecord, directory: string): number
  acquireName(record: AssetRecord): number
}

export function createPathParts(): PathParts {
  const directories = createTextDictionary()
  const names = createTextDictionary()
  const directoryFacts: DirectoryFacts[] = []
  const formatIdByText = new Map<string, number>()
  let formatIds = new Uint32Array(0)

  function formatIdOf(format: string): number {
    const id = formatIdByText.get(format) ?? formatIdByText.size
    formatIdByText.set(format, id)
    return id
  }

  return {
    directories,
    names,
    directoryFacts,
    formatIdByText,
    get formatIds() {
      return formatIds
    },
    acquireDirectory({ zone, category }, directory) {
      const id = directories.acquire(directory)
      if (directoryFacts[id]?.path !== directory)
        directoryFacts[id] = { path: directory, zone, category }
      return id
    },
    acquireName({ name, format }) {
      const id = names.acquire(name)
      formatIds = grownTo(formatIds, id + 1)
      formatIds[id] = formatIdOf(format)
      return id
    },
  }
}
