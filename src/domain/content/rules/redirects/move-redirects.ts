import { ServiceError } from '../../../errors.ts'
import { type AssetPath, categoryOf, encodePath } from '../../asset-path.ts'
import { readSource } from '../rule-url.ts'
import { isConditional, parseRedirects, type RedirectRule } from './parse-redirects.ts'

export interface MovedPath {
  readonly from: AssetPath
  readonly to: AssetPath
  readonly isDirectory: boolean
}

/** What a `_redirects` file may hold. */
export const maxRuleCharacters = 100_000

/**
 * A `_redirects` file with a 301 rule for each move, one for a directory with all that is below it. Rules
 * that would send visitors away from where something is now (`arrivals`), and former rules for what was
 * moved, go. What was never public gets none.
 */
export function withMoveRedirects(
  content: string,
  moves: readonly MovedPath[],
  arrivals: Iterable<AssetPath>,
): string {
  const open = moves.filter(
    ({ from, to }) => ![from, to].some((path) => categoryOf(path) === 'private'),
  )
  const sources = open.flatMap(sourcesOf)
  const outdated = new Set([...sources, ...moves.flatMap(({ to }) => sourcesOf(allBelow(to)))])
  for (const path of arrivals) for (const spelt of spellingsOf(path)) outdated.add(spelt)
  const kept = withoutRules(content, outdated)
  const files = open.filter(({ isDirectory }) => !isDirectory).flatMap(linesOf)
  const directories = open.filter(({ isDirectory }) => isDirectory).flatMap(linesOf)
  const lines = withDirectories([...files, ...kept], directories)
  const written = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  requireEffect(written, content)
  return written
}

/** A `_redirects` file now, as a commit left it, and before that. */
export interface RuleStates {
  readonly now: string
  readonly after: string
  readonly before: string
}

/**
 * Without the rules that a commit left for files that it took away, which are there again. Where nothing else
 * was changed by it or since, the file is as it was before, to the letter.
 */
export function withoutLeftRedirects(
  { now, after, before }: RuleStates,
  { moves, paths }: LeftBehind,
): string {
  const places = [...paths, ...moves.map(({ from }) => from)]
  const sources = new Set(
    places.flatMap((from) =>
      [true, false].flatMap((isDirectory) => sourcesOf({ from, to: from, isDirectory })),
    ),
  )
  const former = new Set(linesIn(before))
  const added = linesIn(after).filter((line) => !former.has(line))
  const left = new Set(added.filter((line) => sources.has(line.split(/\s/u, 1)[0] ?? '')))
  if (now === after && left.size === new Set(added).size) return before
  return now
    .split('\n')
    .filter((line) => !left.has(line.trim()))
    .join('\n')
}

interface LeftBehind {
  readonly moves: readonly Pick<MovedPath, 'from'>[]
  /** Of all files that the commit changed. */
  readonly paths: Iterable<AssetPath>
}

const linesIn = (content: string): readonly string[] =>
  content.split('\n').map((line) => line.trim())

/** Clients write a name as browsers do or with all of it escaped; a rule looks at what they wrote. */
function spellingsOf(path: string): readonly string[] {
  const asBrowsersDo = path
    .split('/')
    .map((segment) => encodeURI(segment).replaceAll(/[?#]/gu, encodeURIComponent))
    .join('/')
  return [...new Set([encodePath(path), asBrowsersDo])].map((spelt) => `/${withoutCaptures(spelt)}`)
}

/** What would capture something in a rule is escaped. */
const withoutCaptures = (path: string): string => path.replaceAll('*', '%2A').replaceAll(':', '%3A')

const sourcesOf = ({ from, isDirectory }: MovedPath): readonly string[] =>
  spellingsOf(from).map((spelt) => (isDirectory ? `${spelt}/*` : spelt))

const allBelow = (path: AssetPath): MovedPath => ({ from: path, to: path, isDirectory: true })

function linesOf(move: MovedPath): readonly string[] {
  const target = `/${withoutCaptures(encodePath(move.to))}${move.isDirectory ? '/:splat' : ''}`
  return sourcesOf(move).map((source) => `${source} ${target} 301`)
}

function withoutRules(content: string, sources: ReadonlySet<string>): readonly string[] {
  const urls = new Set(Array.from(sources, urlOf))
  const dropped = new Set(
    parseRedirects(content)
      .rules.filter((rule) => isOutdated(rule, urls))
      .map(({ line }) => line),
  )
  const lines = content.split(/\r?\n/u)
  if (lines.at(-1) === '') lines.pop()
  return lines.filter((_, index) => !dropped.has(index + 1))
}

/** As it is read, so that a spelling is compared with what comes of it. */
const isOutdated = ({ pattern, code, conditions }: RedirectRule, sources: ReadonlySet<string>) =>
  code === 301 && !isConditional(conditions) && sources.has(pattern.source)

/** Before the first rule with a capture: those before it that have none are found at once. */
function withDirectories(
  lines: readonly string[],
  directories: readonly string[],
): readonly string[] {
  if (directories.length === 0) return lines
  const { rules } = parseRedirects(lines.join('\n'))
  const first = rules.find(({ isStatic }) => !isStatic)
  const place = first === undefined ? lines.length : first.line - 1
  return lines.toSpliced(place, 0, ...directories)
}

/** Neither a new rule nor one that was there may have no effect because of the others. */
function requireEffect(content: string, before: string): void {
  const isComplete = idleLines(content) <= idleLines(before)
  if (isComplete && content.length <= maxRuleCharacters) return
  throw new ServiceError(
    'LimitExceeded',
    '_redirects has no room for a rule of each move; remove some, or move without Redirect',
    { target: 'Redirect', context: { Limit: maxRuleCharacters } },
  )
}

const idleLines = (content: string): number => parseRedirects(content).diagnostics.length

const urlOf = (source: string): string => {
  const read = readSource(source)
  return 'url' in read ? read.url : source
}
