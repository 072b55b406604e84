import { literalName, type PatternMatcher, patternMatcher } from './attribute-pattern.ts'
import { ownNameOf, patternAndAttributes } from './attribute-lines.ts'

/** git reads no more of a line, and no longer file. */
const longestLine = 2048
const largestFileBytes = 100 * 2 ** 20
/** Each is tried on a name; whoever writes more of them slows down nobody but the files meant by none. */
const mostPatterns = 2_000

interface Rule {
  readonly isLarge: boolean
  /** Later lines win. */
  readonly place: number
}

interface PatternRule extends Rule {
  readonly matches: PatternMatcher
}

/** One `.gitattributes` file, as far as it says which files are kept by Git LFS. */
export class AttributeRules {
  readonly sizeBytes: number
  readonly text: string
  /** Of lines in the form that this store writes, by the name of the file. */
  readonly #own = new Map<string, Rule>()
  readonly #byName = new Map<string, Rule>()
  readonly #patterns: PatternRule[] = []

  constructor(bytes: Uint8Array) {
    this.sizeBytes = bytes.length
    this.text = bytes.length > largestFileBytes ? '' : new TextDecoder().decode(bytes)
    for (const [place, line] of this.text.split('\n').entries())
      if (line.length <= longestLine) this.#add(line, place)
  }

  /** The names of files that lines of ours are about. */
  get ownNames(): Iterable<string> {
    return this.#own.keys()
  }

  hasOwn(name: string): boolean {
    return this.#own.has(name)
  }

  /** Whether nothing in it can make a file a large one. */
  get isSilent(): boolean {
    return this.#own.size + this.#byName.size + this.#patterns.length === 0
  }

  /** What is said of a path below; `undefined` where nothing is. Without lines of ours, if so wished. */
  decide(segments: readonly string[], { isOwnLeftOut = false } = {}): boolean | undefined {
    const name = segments.at(-1) ?? ''
    const own = segments.length === 1 && !isOwnLeftOut ? this.#own.get(name) : undefined
    let last = laterOf(own, this.#byName.get(name))
    for (const rule of this.#patterns) if (rule.matches(segments)) last = laterOf(last, rule)
    return last?.isLarge
  }

  #add(line: string, place: number): void {
    const own = ownNameOf(line)
    if (own !== undefined) {
      this.#own.set(own, { isLarge: true, place })
      return
    }
    const said = patternAndAttributes(line)
    const isLarge = said && filterSaid(said.attributes)
    if (said === undefined || isLarge === undefined) return
    const name = said.pattern.includes('/') ? undefined : literalName(said.pattern)
    if (name !== undefined) {
      this.#byName.set(name, { isLarge, place })
      return
    }
    const matches = patternMatcher(said.pattern)
    if (matches !== undefined && this.#patterns.length < mostPatterns)
      this.#patterns.push({ isLarge, place, matches })
  }
}

/** Whether the attributes name the filter of Git LFS; `undefined` where they name none, nor take it away. */
function filterSaid(attributes: string): boolean | undefined {
  const last = attributes.split(/[ \t\r]+/u).findLast((word) => /^[-!]?filter(?:=|$)/u.test(word))
  return last === undefined ? undefined : last === 'filter=lfs'
}

function laterOf(one: Rule | undefined, other: Rule | undefined): Rule | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.place > other.place ? one : other
}
