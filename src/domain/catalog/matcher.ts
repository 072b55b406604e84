import type { Documents } from './columns/documents.ts'
import { grownTo } from '../../lib/collections/grown-array.ts'
import type { PathParts } from './columns/path-parts.ts'
import { foldCase, markWords } from './columns/word-marks.ts'

/** What is left out does not narrow. */
export interface AssetFilter {
  /** The zone, exactly. */
  readonly project?: string | undefined
  readonly category?: string | undefined
  readonly format?: string | undefined
  /** A directory below which it is, or in which where `isDirectly`. */
  readonly directory?: string | undefined
  readonly isDirectly?: boolean | undefined
  /** Each must occur in the path, in any case. */
  readonly words?: readonly string[] | undefined
  /** The tenants that the caller may see. */
  readonly zones?: ReadonlySet<string> | undefined
}

export interface Matcher {
  /** Those of all candidates that pass, as they come. A view: the next call replaces it. */
  match(candidates: readonly Uint32Array[], filter: AssetFilter): Uint32Array<ArrayBuffer>
}

/** Set where project, category or format speak against a directory or a name. */
const refused = 1

/**
 * A path is a directory and a name, and there are fewer of either than there are assets: each filter
 * and each word is decided once a directory and once a name, as bits, and an asset passes where the
 * bits of its two parts do.
 */
export function createMatcher(documents: Documents): Matcher {
  const masks = createPathMasks(documents.parts)
  let matched = new Uint32Array(0)

  /** Takes the candidates that have all `required` bits into `matched`, after the first `count`. */
  function pass(candidates: Uint32Array, required: number, count: number): number {
    const { directoryIds, nameIds } = documents
    const { directoryMasks, nameMasks } = masks
    matched = grownTo(matched, count + candidates.length + 1)
    let end = count
    for (let index = 0; index < candidates.length; index += 1) {
      const document = candidates[index]!
      const mask = directoryMasks[directoryIds[document]!]! | nameMasks[nameIds[document]!]!
      const wrongBits = (mask & (required | refused)) ^ required
      matched[end] = document
      // Adds one where no bit is wrong. A branch that nobody can predict would take thrice as long.
      end += Math.clz32(wrongBits) >>> 5
    }
    return end
  }

  return {
    match(candidates, filter) {
      masks.prepare(filter)
      const words = significantWords(filter.words ?? [])
      const marks = markWords(words, { ...documents.parts, ...masks })
      if (!marks) return nothing
      let count = 0
      for (const some of candidates) count = pass(some, marks.required, count)
      const found = matched.subarray(0, count)
      if (marks.unmarked.length === 0) return found
      const { records } = documents
      return found.filter((document) => containsAll(marks.unmarked, records[document]!.path))
    },
  }
}

const nothing = new Uint32Array(0)

/** Whether a directory is the one that is asked for, or below it. */
function isInPlace(text: string, { directory, isDirectly }: AssetFilter): boolean {
  if (directory === undefined || text === directory) return true
  return isDirectly !== true && text.startsWith(`${directory}/`)
}

/** A mask for each directory and each name, replaced when they grow. */
function createPathMasks(parts: PathParts) {
  const { directories, names, directoryFacts, formatIdByText } = parts
  let directoryMasks = new Uint32Array(0)
  let nameMasks = new Uint32Array(0)

  function allowDirectories({ project, category, zones, ...place }: AssetFilter) {
    directoryMasks = grownTo(directoryMasks, directories.size)
    for (let id = 0; id < directories.size; id += 1) {
      const facts = directoryFacts[id]!
      const passes =
        (project === undefined || facts.zone === project) &&
        (category === undefined || facts.category === category) &&
        (zones === undefined || zones.has(facts.zone)) &&
        isInPlace(facts.path, place)
      directoryMasks[id] = passes ? 0 : refused
    }
  }

  function allowNames({ format }: AssetFilter) {
    nameMasks = grownTo(nameMasks, names.size)
    if (format === undefined) return nameMasks.fill(0)
    const { formatIds } = parts
    const formatId = formatIdByText.get(format) ?? -1
    for (let id = 0; id < names.size; id += 1)
      nameMasks[id] = formatIds[id] === formatId ? 0 : refused
    return nameMasks
  }

  return {
    get directoryMasks() {
      return directoryMasks
    },
    get nameMasks() {
      return nameMasks
    },
    /** Drops all bits and sets `refused` by the filter. */
    prepare(filter: AssetFilter) {
      allowDirectories(filter)
      allowNames(filter)
    },
  }
}

/** Of so many words it is worth knowing which others are part of them. */
const comparedWords = 30

/** Folded, longest first, without those that are part of another and so say nothing more. */
function significantWords(words: readonly string[]): readonly string[] {
  const folded = new Set(words.map((word) => foldCase(word.normalize('NFC'))))
  const byLength = [...folded].sort((a, b) => b.length - a.length)
  const longest = byLength.slice(0, comparedWords)
  return byLength.filter(
    (word) => !longest.some((longer) => longer !== word && longer.includes(word)),
  )
}

const containsAll = (foldedWords: readonly string[], path: string): boolean => {
  const folded = foldCase(path)
  return foldedWords.every((word) => word.isWellFormed() && folded.includes(word))
}
